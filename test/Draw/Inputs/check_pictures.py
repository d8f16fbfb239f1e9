"""Checks a folder that `warpwright explain --svg` wrote.

Every picture and the index page are well-formed XML; a picture holds shapes and
words of 10 pixels and more, all inside its view box; the index page shows
every picture that is there, and nothing else. Prints how many there are.
"""

import os
import re
import sys
import xml.etree.ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"


def check_picture(path):
    root = ET.parse(path).getroot()
    assert root.tag == SVG + "svg", path
    width, height = int(root.get("width")), int(root.get("height"))
    assert root.get("viewBox") == "0 0 %d %d" % (width, height), path
    assert root.find(SVG + "title").text, path
    assert os.path.getsize(path) < 1 << 20, path
    style = root.find(SVG + "style").text
    sizes = dict(re.findall(r"\.(s\d+)\{font-size:(\d+)px\}", style))
    texts = list(root.iter(SVG + "text"))
    assert len(texts) > 10, path
    for text in texts:
        size = int(sizes[text.get("class").split()[0]])
        assert size >= 10, (path, text.text)
        assert 0 <= int(text.get("x")) <= width, (path, text.text)
        assert size <= int(text.get("y")) <= height, (path, text.text)
    for rect in root.iter(SVG + "rect"):
        if rect.get("x") is not None:
            right = int(rect.get("x")) + int(rect.get("width"))
            bottom = int(rect.get("y")) + int(rect.get("height"))
            assert right <= width and bottom <= height, (path, rect.attrib)
            assert int(rect.get("width")) > 0, (path, rect.attrib)
            assert int(rect.get("height")) > 0, (path, rect.attrib)


def main():
    folder = sys.argv[1]
    index = ET.parse(os.path.join(folder, "index.html")).getroot()
    shown = [image.get("src") for image in index.iter("img")]
    links = [a.get("href") for a in index.iter("a")]
    linked = [link for link in links if not link.startswith("#")]
    anchors = {"#" + h2.get("id") for h2 in index.iter("h2")}
    assert set(links) - set(linked) <= anchors, links
    assert shown == linked and len(set(shown)) == len(shown)
    there = sorted(n for n in os.listdir(folder) if n.endswith(".svg"))
    assert sorted(shown) == there, (shown, there)
    for name in there:
        check_picture(os.path.join(folder, name))
    print("%d pictures" % len(there))


main()
