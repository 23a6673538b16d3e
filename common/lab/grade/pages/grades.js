for (const table of document.querySelectorAll("table.sortable")) {
  const value = (row, k) => row.cells[k].dataset.value ?? row.cells[k].textContent.trim().toLowerCase();
  const compare = (a, b) => a !== "" && b !== "" && !isNaN(a) && !isNaN(b) ? a - b : a === "" || b === "" ? (a === "") - (b === "") : a.localeCompare(b);
  [...table.tHead.rows[0].cells].forEach((cell, k) => {
    const button = document.createElement("button");
    button.append(...cell.childNodes);
    cell.append(button);
    button.addEventListener("click", () => {
      const down = cell.getAttribute("aria-sort") === "ascending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      cell.setAttribute("aria-sort", down ? "descending" : "ascending");
      table.tBodies[0].append(...[...table.tBodies[0].rows].sort((a, b) => (down ? -1 : 1) * compare(value(a, k), value(b, k))));
    });
  });
}
