"""Faults of a view's layout at a width: content beyond the edge, clipped numbers or hints, and texts in slivers."""

from playwright.sync_api import Page

#: A desk, a small laptop, and a telephone.
WIDTHS = (1440, 1024, 390)
HEIGHT = 844
_FAULTS = """() => {
  const faults = [];
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) faults.push(`the page is ${wide} pixels wide`);
  for (const cell of document.querySelectorAll("main :is(td, th, dd, h1, h2, p, button, select)")) {
    const text = cell.textContent.trim().slice(0, 50);
    if (!text || !cell.checkVisibility() || cell.closest(".unseen, dialog") || cell.matches(".unseen")) continue;
    const box = cell.getBoundingClientRect();
    if (box.right > innerWidth + 1 || box.left < -1) faults.push(`beyond the edge: ${text}`);
    const range = document.createRange();
    range.selectNodeContents(cell);
    const style = getComputedStyle(cell);
    const room = box.width - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const hasUnseen = cell.querySelector(".unseen") !== null; // its words are in the range, and not on the screen
    const isClipped = style.overflow === "hidden" && !hasUnseen && range.getBoundingClientRect().width > room + 0.5;
    if (isClipped && cell.matches(".number, .age, .in-state, thead th")) faults.push(`clipped: ${text}`);
    if (isClipped && box.width < 70) faults.push(`clipped to ${Math.round(box.width)} pixels: ${text}`);
    if (cell.matches(".wraps, .why") && text.length > 20 && box.width < 140)
      faults.push(`only ${Math.round(box.width)} pixels wide: ${text}`);
  }
  return faults;
}"""

_CLIPPED_HINTS = """() => {
  const pen = document.createElement("canvas").getContext("2d");
  return [...document.querySelectorAll("input[placeholder]")].filter((field) => {
    const style = getComputedStyle(field);
    pen.font = `${style.fontSize} ${style.fontFamily}`;
    const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return field.checkVisibility() && pen.measureText(field.placeholder).width > room;
  }).map((field) => field.placeholder);
}"""


def set_width(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": HEIGHT})


def faults(page: Page) -> list[str]:
    found: list[str] = page.evaluate(_FAULTS)
    return found


def clipped_hints(page: Page) -> list[str]:
    found: list[str] = page.evaluate(_CLIPPED_HINTS)
    return found
