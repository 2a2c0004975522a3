
"use strict";
(() => {
  const trials = [...document.querySelectorAll("details.t")];
  const form = document.getElementById("filter");
  if (!form) return;
  const words = document.getElementById("words");
  const count = document.getElementById("count");
  const marks = [...form.querySelectorAll("input[name=mark]")];
  let texts;
  const show = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (wanted.length) texts ??= trials.map((trial) => trial.textContent.toLowerCase());
    const classes = marks.filter((mark) => mark.checked).map((mark) => mark.value);
    let shown = 0;
    trials.forEach((trial, index) => {
      const fits = classes.some((name) => name.split(" ").every((part) => trial.classList.contains(part)))
        && wanted.every((word) => texts[index].includes(word));
      trial.hidden = !fits;
      if (fits) shown += 1;
    });
    count.textContent = shown + " of " + trials.length + " trials";
  };
  const follow = () => {
    const place = document.getElementById(location.hash.slice(1));
    if (!place || !place.classList.contains("t")) return;
    place.hidden = false;
    place.open = true;
    place.scrollIntoView();
  };
  let timer;
  words.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(show, 120); });
  form.addEventListener("change", show);
  form.addEventListener("submit", (event) => { event.preventDefault(); show(); });
  document.getElementById("open").addEventListener("click", () => {
    trials.filter((trial) => !trial.hidden).slice(0, 200).forEach((trial) => { trial.open = true; });
  });
  window.addEventListener("hashchange", follow);
  form.hidden = false;
  show();
  follow();
})();
