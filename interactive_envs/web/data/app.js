// What the pages do beyond links and forms: Enter sends, the cursor goes where one types next, boards scroll by steps.
document.addEventListener("keydown", (event) => {
  const field = event.target;
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || !field.matches?.("[data-enter]")) return;
  // a page is written in many lines
  if (/<html|<!doctype/i.test(field.value) && !/<\/html\s*>/i.test(field.value)) return;
  event.preventDefault();
  const buttons = field.form.querySelectorAll("button");
  if (field.value.trim() && buttons.length) field.form.requestSubmit(buttons[0]);
});

document.addEventListener("input", (event) => {
  if (!event.target.matches?.("[data-scrub]")) return;
  const place = event.target.closest("section");
  for (const frame of place.querySelectorAll("[data-frame]")) frame.hidden = frame.dataset.frame !== event.target.value;
  place.querySelector("output").value = `${event.target.value} of ${event.target.max}`;
});

document.addEventListener("htmx:after:swap", () => {
  const field = document.querySelector("#table [data-focus]");
  if (!field) return;
  field.focus({ preventScroll: true });
  field.scrollIntoView({ block: "nearest" });
});
