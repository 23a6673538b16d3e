// Points and comments stay in the browser until they are saved as rows of manual.csv.
const answers = [...document.querySelectorAll(".answer")];
const pointsOf = answer => answer.querySelector("input.points"), commentOf = answer => answer.querySelector("input.comment");
// Another class lies elsewhere; and what is kept belongs to this question, beside the value that the page had then.
const keyOf = answer => `${location.pathname} ${answer.dataset.question} ${answer.dataset.who}`;
const given = new Map(answers.map(answer => [answer, `${pointsOf(answer).value} ${commentOf(answer).value}`]));
const known = new Set([...document.querySelectorAll("#comments option")].map(option => option.value));
const offer = text => {
  if (!text || known.has(text)) return;
  known.add(text);
  document.querySelector("#comments").append(new Option(text, text));
};
const show = () => {
  const done = answers.filter(answer => pointsOf(answer).value !== "").length;
  document.querySelector("#count").textContent = `${done} of ${answers.length} have points`;
};
const keep = answer => {
  try { localStorage.setItem(keyOf(answer), JSON.stringify([pointsOf(answer).value, commentOf(answer).value, given.get(answer)])); } catch { /* a browser that keeps nothing */ }
};
for (const answer of answers) {
  let kept = null;
  try { kept = JSON.parse(localStorage.getItem(keyOf(answer))); } catch { /* nothing kept */ }
  if (kept?.[2] === given.get(answer)) [pointsOf(answer).value, commentOf(answer).value] = kept;
  offer(commentOf(answer).value);
  answer.addEventListener("change", () => { offer(commentOf(answer).value); keep(answer); show(); });
}
const quoted = text => `"${text.replaceAll('"', '""')}"`;
const csv = () => ["who,question,points,comment", ...answers.filter(answer => pointsOf(answer).value !== "").map(answer =>
  [answer.dataset.who, answer.dataset.question, pointsOf(answer).value, commentOf(answer).value].map(quoted).join(","))].join("\r\n") + "\r\n";
document.querySelector("#save").addEventListener("click", event => {
  const link = document.createElement("a");
  link.download = event.target.dataset.file;
  link.href = URL.createObjectURL(new Blob(["\ufeff" + csv()], {type: "text/csv"}));
  link.click();
});
show();
