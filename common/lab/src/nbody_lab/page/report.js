for (const table of document.querySelectorAll("table.stack"))
  for (const row of table.tBodies[0].rows)
    [...row.cells].forEach((cell, k) => cell.tagName == "TD" && (cell.dataset.label = table.tHead.rows[0].cells[k].textContent));
for (const row of document.querySelectorAll("tr[data-lights]")) {
  const part = row.closest("section");
  const lit = on => row.dataset.lights.split(" ").forEach(id =>
    part.querySelectorAll(`svg [id$="-${id}"]`).forEach(one => one.classList.toggle("lit", on)));
  row.addEventListener("mouseenter", () => lit(true));
  row.addEventListener("mouseleave", () => lit(false));
}
