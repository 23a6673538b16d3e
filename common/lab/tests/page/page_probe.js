// Run in a page by browser_for_tests.py: what a browser sees. The last expression is what it finds.

// Corners of what an SVG text covers, turned as it is; a little less than its box, which has room above and below.
function corners(text) {
  const box = text.getBBox(), matrix = text.getScreenCTM(), slack = 0.17 * box.height;
  return [[box.x, box.y + slack], [box.x + box.width, box.y + slack], [box.x + box.width, box.y + box.height - slack],
          [box.x, box.y + box.height - slack]].map(([x, y]) => new DOMPoint(x, y).matrixTransform(matrix));
}

// Two convex shapes are apart if a side of one of them has the other one wholly beyond it.
function apart(one, other) {
  return [one, other].some((shape, k) => shape.some((corner, j) => {
    const next = shape[(j + 1) % 4], x = next.y - corner.y, y = corner.x - next.x, length = Math.hypot(x, y) || 1;
    const beyond = (k ? one : other).map(point => ((point.x - corner.x) * x + (point.y - corner.y) * y) / length);
    const within = shape.map(point => ((point.x - corner.x) * x + (point.y - corner.y) * y) / length);
    return Math.max(...within) <= 0.5 ? Math.min(...beyond) >= -0.5 : Math.max(...beyond) <= 0.5;
  }));
}

function overlaps(svg) {
  const texts = [...svg.querySelectorAll("text")].filter(text => text.textContent.trim()).map(text => [text.textContent, corners(text)]);
  const found = [];
  texts.forEach(([words, shape], k) => texts.slice(k + 1).forEach(([other, there]) => {
    if (!apart(shape, there)) found.push([svg.id, words, other]);
  }));
  return found;
}

function numbers(colour) {
  return (colour.match(/[\d.]+/g) || []).map(Number);
}

function brightness([red, green, blue]) {
  const [r, g, b] = [red, green, blue].map(part => part / 255).map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function background(element) {
  for (let one = element; one; one = one.parentElement) {
    const colour = numbers(getComputedStyle(one).backgroundColor);
    if (colour.length === 3 || colour[3] === 1) return colour;
  }
  return [255, 255, 255];
}

// Words in which ink and paper differ less than people with weak eyes need.
function pale() {
  const found = new Set();
  for (const element of document.body.querySelectorAll("*:not(script):not(style)")) {
    const own = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
    if (!own || !element.getClientRects().length) continue;
    const style = getComputedStyle(element);
    const ink = brightness(numbers(element instanceof SVGElement ? style.fill : style.color)), paper = brightness(background(element));
    const contrast = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
    if (contrast < 4.5) found.add(`${element.textContent.trim().slice(0, 30)} (${contrast.toFixed(1)})`);
  }
  return [...found];
}

// The first column of the table that can be sorted, after each of two clicks on its second title.
function sorted() {
  const table = document.querySelector("table.sortable");
  if (!table) return [];
  const names = () => [...table.tBodies[0].rows].map(row => row.cells[0].textContent.trim());
  return [1, 2].map(() => { table.tHead.rows[0].cells[1].querySelector("button").click(); return names(); });
}

function found() {
  // Tables may scroll, but on a phone not those that are stacked.
  const mayBeWide = innerWidth > 640 ? ".scroll, svg" : ".scroll :not(.stack, .stack *), .scroll:not(:has(.stack)), svg *";
  const wide = [...document.body.querySelectorAll("*")].filter(element => !element.closest(mayBeWide) &&
    element.getBoundingClientRect().right > innerWidth + 1).map(element => element.tagName + " " + element.className);
  return {
    wide, width: innerWidth, page: document.documentElement.scrollWidth, pale: pale(), sorted: sorted(),
    texts: document.querySelectorAll("svg text").length,
    overlaps: [...document.querySelectorAll("svg")].filter(svg => svg.getClientRects().length).flatMap(overlaps)};
}
found();
