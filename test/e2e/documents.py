"""Opens the exports of a dashboard with independent readers. Run by documents-python.ts."""

import csv
import datetime
import pathlib
import sys
import warnings
import xml.dom.minidom

import docx
import openpyxl
import pptx
import pypdf
from PIL import Image

warnings.simplefilter("error")
folder = pathlib.Path(sys.argv[1])


def texts_of(table):
    return [[cell.text for cell in row.cells] for row in table.rows]


def check(what, holds, found):
    if not holds:
        sys.exit(f"{what}: {found!r}")
    print(f"{what}: ok")


book = openpyxl.load_workbook(folder / "orders.xlsx")
cells = {cell.value: cell for sheet in book for row in sheet.iter_rows() for cell in row if cell.value is not None}
numbers = [value for value in cells if isinstance(value, (int, float))]
dates = [value for value in cells if isinstance(value, (datetime.date, datetime.datetime))]
formulas = [value for value, cell in cells.items() if cell.data_type == "f"]
check("xlsx has numbers", 1250.5 in numbers and 80 in numbers, numbers)
check("xlsx has dates", any(str(value).startswith("2026-01-31") for value in dates), dates)
check("xlsx has no formula of a user", formulas == [] and any("=1+1" in str(value) for value in cells), formulas)
check("xlsx has texts of other scripts", {"Süd & <West>", "日本 😀", "مرحبا"} <= set(cells), sorted(map(str, cells)))

document = docx.Document(str(folder / "orders.docx"))
rows = [row for table in document.tables for row in texts_of(table)]
check("docx has a table", any("Süd & <West>" in row for row in rows), rows)
check("docx has headings", any(p.style.name.startswith("Heading") for p in document.paragraphs), [p.style.name for p in document.paragraphs])

slides = pptx.Presentation(str(folder / "orders.pptx")).slides
shapes = [shape for slide in slides for shape in slide.shapes]
tables = [row for shape in shapes if shape.has_table for row in texts_of(shape.table)]
charts = [list(plot.categories) for shape in shapes if shape.has_chart for plot in shape.chart.plots]
check("pptx has a table", any("North" in row for row in tables), tables)
check("pptx has a native chart", any("North" in map(str, chart) for chart in charts), charts)

reader = pypdf.PdfReader(folder / "orders.pdf", strict=True)
text = "\n".join(page.extract_text() for page in reader.pages)
catalog = reader.trailer["/Root"]
check("pdf has selectable text", "Orders of the year" in text and "1,250.5" in text and "مرحبا" in text, text)
check("pdf is tagged", "/StructTreeRoot" in catalog and catalog["/MarkInfo"]["/Marked"], list(catalog))
check("pdf names its language and title", "/Lang" in catalog and bool(reader.metadata.title), list(catalog))

with open(folder / "orders.csv", newline="", encoding="utf-8") as file:
    lines = list(csv.reader(file, strict=True))
check("csv has all rows", len(lines) == 4 and all(len(line) == 5 for line in lines), lines)
with Image.open(folder / "orders.png") as image:
    image.verify()
    check("png is a picture", image.width > 100 and image.height > 50, image.size)
svg = xml.dom.minidom.parse(str(folder / "orders.svg"))
check("svg is well-formed", svg.documentElement.tagName == "svg", svg.documentElement.tagName)
