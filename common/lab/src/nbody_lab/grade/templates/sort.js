// Titles of tables become buttons that sort; what has no value stays at the end.
const valueOf = (row, k) => (row.cells[k].dataset.value ?? row.cells[k].textContent).trim().replace(/^–$/, "");
const compare = (a, b, sign) => a === "" || b === "" ? (a === "") - (b === "") : sign * (isNaN(a) || isNaN(b) ? a.localeCompare(b) : a - b);
for (const table of document.querySelectorAll("table.sortable")) {
  const titles = [...table.tHead.rows[0].cells], body = table.tBodies[0];
  titles.forEach((title, k) => {
    const button = document.createElement("button");
    button.append(...title.childNodes);
    title.append(button);
    button.addEventListener("click", () => {
      const down = title.getAttribute("aria-sort") === "ascending";
      titles.forEach(other => other.removeAttribute("aria-sort"));
      title.setAttribute("aria-sort", down ? "descending" : "ascending");
      body.append(...[...body.rows].sort((a, b) => compare(valueOf(a, k), valueOf(b, k), down ? -1 : 1)));
    });
  });
}
