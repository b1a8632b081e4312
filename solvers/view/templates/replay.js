"use strict";
// Shows the cards and plays the moves. All that is known of the game comes as data: piles of cards, and steps
// that each take some cards out of one pile and put them on another.
(() => {
  const find = (id) => document.getElementById(id);
  const data = JSON.parse(find("replay-data").textContent);
  const table = find("table");
  const board = find("board");
  const piles = data.piles.map((pile) => [...pile.cards]);
  const places = []; // where in its pile each step found its cards, for the way back
  let made = 0; // moves made so far
  let timer = 0; // of the next move; 0 while paused

  // Cards and piles.

  function forward() {
    const step = data.steps[made];
    const from = piles[step.from];
    places[made] = from.indexOf(step.cards[0]);
    from.splice(places[made], step.cards.length);
    piles[step.to].push(...step.cards);
    made += 1;
  }

  function backward() {
    made -= 1;
    const step = data.steps[made];
    piles[step.to].splice(-step.cards.length);
    piles[step.from].splice(places[made], 0, ...step.cards);
  }

  // What stands on the page.

  function element(name, className, parent) {
    const made = document.createElement(name);
    made.className = className;
    parent.append(made);
    return made;
  }

  function drawSuit(suit, className, parent) {
    const space = "http://www.w3.org/2000/svg";
    const picture = document.createElementNS(space, "svg");
    picture.setAttribute("viewBox", "-50 -50 100 100");
    picture.setAttribute("class", className);
    const path = document.createElementNS(space, "path");
    path.setAttribute("d", data.suits[suit]);
    picture.append(path);
    parent.append(picture);
  }

  const labels = [];
  const slots = [];
  const cards = new Map();
  data.piles.forEach((pile, index) => {
    slots[index] = element("div", "slot", board);
    labels[index] = element("div", "label", board);
    labels[index].textContent = pile.label;
    if (pile.suit !== null) drawSuit(pile.suit, "", slots[index]);
  });
  data.piles.forEach((pile) => {
    for (const code of pile.cards) {
      const card = element("div", `card suit-${code % 4}`, board);
      card.dataset.card = data.names[code];
      element("span", "rank", card).textContent = data.ranks[Math.floor(code / 4)];
      drawSuit(code % 4, "small", card);
      drawSuit(code % 4, "large", card);
      cards.set(code, card);
    }
  });

  // The longest that each pile gets while the solution is played: its place is kept free from the start, so
  // that nothing else moves when a card does.
  const longest = piles.map((pile) => pile.length);
  while (made < data.steps.length) {
    forward();
    piles.forEach((pile, index) => { longest[index] = Math.max(longest[index], pile.length); });
  }
  while (made > 0) backward();

  const NARROWEST = 42; // a card's width in pixels below which a row of columns becomes two
  const WIDEST = 76;
  const FAN = 9; // strips of covered cards that a pile may be high before they shrink
  const LABEL = 20;

  let tableWidth = 0; // at the last layout

  function layOut() {
    const padding = getComputedStyle(table);
    tableWidth = table.clientWidth;
    const width = tableWidth - parseFloat(padding.paddingLeft) - parseFloat(padding.paddingRight);
    const gap = width < 600 ? 4 : 8;
    const kinds = [false, true].map((fanned) =>
      data.piles.map((pile, index) => index).filter((index) => data.piles[index].fanned === fanned));
    const most = Math.max(...kinds.map((indices) => indices.length));
    const room = (perRow) => (width - (perRow - 1) * gap) / perRow;
    const perRow = room(most) < NARROWEST ? Math.ceil(most / 2) : most;
    const cardWidth = Math.min(room(perRow), WIDEST);
    const cardHeight = cardWidth * 1.4;
    const strip = cardWidth * 0.42;
    board.style.fontSize = `${cardWidth * 0.31}px`;
    let y = 0;
    for (const indices of kinds) {
      const rows = Math.ceil(indices.length / perRow);
      const inRow = Math.ceil(indices.length / rows);
      for (let first = 0; first < indices.length; first += inRow) {
        const row = indices.slice(first, first + inRow);
        const fanned = data.piles[row[0]].fanned;
        const top = y + (row.some((index) => data.piles[index].label) ? LABEL : 0);
        let fan = 0;
        row.forEach((index, place) => {
          const x = place * (cardWidth + gap);
          labels[index].style.transform = `translate(${x}px, ${y}px)`;
          labels[index].style.width = `${cardWidth}px`;
          size(slots[index], cardWidth, cardHeight);
          slots[index].style.transform = `translate(${x}px, ${top}px)`;
          const covered = Math.max(longest[index] - 1, 1);
          const shown = fanned ? strip * Math.min(1, FAN / covered) : 0;
          if (fanned) fan = Math.max(fan, shown * covered);
          piles[index].forEach((code, level) => {
            const card = cards.get(code);
            size(card, cardWidth, cardHeight);
            card.style.transform = `translate(${x}px, ${top + level * shown}px)`;
            card.style.zIndex = level + 1;
          });
        });
        y = top + fan + cardHeight + gap;
      }
    }
    board.style.height = `${y - gap}px`;
    board.style.width = `${perRow * (cardWidth + gap) - gap}px`;
  }

  function size(box, width, height) {
    box.style.width = `${width}px`;
    box.style.height = `${height}px`;
  }

  function describe() {
    find("spoken").replaceChildren(...data.piles.map((pile, index) => {
      const names = piles[index].map((code) => data.names[code]);
      const shown = pile.fanned ? names : names.slice(-1);
      const item = document.createElement("li");
      item.textContent = `${pile.name}: ${shown.join(", ") || "empty"}`;
      return item;
    }));
  }

  const list = find("moves");
  const moveButtons = [...list.querySelectorAll("button")];

  function show() {
    const step = made > 0 ? data.steps[made - 1] : null;
    for (const [code, card] of cards) card.classList.toggle("moved", step !== null && step.cards.includes(code));
    layOut();
    if (step) {
      // What moves passes over everything else.
      for (const code of step.cards) cards.get(code).style.zIndex = 100 + step.cards.indexOf(code);
    }
    describe();
    const total = data.steps.length;
    const where = step ? `Move ${made} of ${total}: ${step.says}.` : `Start, ${total} ${total === 1 ? "move" : "moves"} to come.`;
    find("status").textContent = made === total ? `${where} ${data.ending}` : where;
    const slider = find("slider");
    slider.value = made;
    slider.setAttribute("aria-valuetext", `move ${made} of ${total}`);
    for (const id of ["first", "back"]) find(id).setAttribute("aria-disabled", made === 0);
    for (const id of ["step", "last"]) find(id).setAttribute("aria-disabled", made === total);
    moveButtons.forEach((button, index) => {
      const current = index === made - 1;
      button.tabIndex = index === Math.max(made - 1, 0) ? 0 : -1;
      if (current) {
        button.setAttribute("aria-current", "step");
        // Not scrollIntoView, which would scroll the page as well.
        const above = button.offsetTop - list.offsetTop;
        if (above < list.scrollTop || above + button.offsetHeight > list.scrollTop + list.clientHeight) {
          list.scrollTop = above - list.clientHeight / 2;
        }
      } else {
        button.removeAttribute("aria-current");
      }
    });
  }

  // What the viewer does.

  function goTo(move) {
    const target = Math.min(Math.max(move, 0), data.steps.length);
    while (made < target) forward();
    while (made > target) backward();
    show();
  }

  const pace = () => Number(find("speed").value);

  function pause() {
    clearTimeout(timer);
    timer = 0;
    find("player").classList.remove("playing");
    find("play").setAttribute("aria-label", "Play");
  }

  function tick() {
    goTo(made + 1);
    if (made === data.steps.length) pause();
    else timer = setTimeout(tick, pace());
  }

  function playOrPause() {
    if (timer) {
      pause();
      return;
    }
    if (made === data.steps.length) goTo(0);
    find("player").classList.add("playing");
    find("play").setAttribute("aria-label", "Pause");
    timer = setTimeout(tick, pace() / 2);
  }

  function jump(move) {
    pause();
    goTo(move);
  }

  function changeSpeed(by) {
    const speed = find("speed");
    speed.selectedIndex = Math.min(Math.max(speed.selectedIndex + by, 0), speed.options.length - 1);
    speed.dispatchEvent(new Event("change"));
  }

  const actions = {
    first: () => jump(0),
    back: () => jump(made - 1),
    play: playOrPause,
    step: () => jump(made + 1),
    last: () => jump(data.steps.length),
  };
  const keys = {
    " ": actions.play, ArrowRight: actions.step, ArrowLeft: actions.back, Home: actions.first, End: actions.last,
    "+": () => changeSpeed(1), "=": () => changeSpeed(1), "-": () => changeSpeed(-1),
  };

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    // Space presses a button and ticks a box; arrows move in a list of choices and on the slider.
    const name = event.target.tagName;
    if (name === "SELECT" || (name === "BUTTON" && event.key === " ")) return;
    if (event.target.type === "checkbox" && event.key === " ") return;
    event.preventDefault();
    keys[event.key]();
  }

  if (data.steps.length > 0) {
    find("player").hidden = false;
    find("slider").max = data.steps.length;
    find("slider").addEventListener("input", (event) => jump(Number(event.target.value)));
    for (const [id, action] of Object.entries(actions)) find(id).addEventListener("click", action);
    find("speed").addEventListener("change", () => {
      // A card has arrived before the next one leaves.
      document.documentElement.style.setProperty("--glide", `${Math.min(0.25, (pace() / 1000) * 0.7)}s`);
    });
    moveButtons.forEach((button, index) => button.addEventListener("click", () => jump(index + 1)));
    document.addEventListener("keydown", onKey);
    show();
  } else {
    layOut();
    describe();
  }
  find("four-colours").addEventListener("change", (event) => {
    document.documentElement.classList.toggle("two-colours", !event.target.checked);
  });
  find("theme").addEventListener("change", (event) => {
    document.documentElement.style.colorScheme = event.target.value;
  });
  // The layout sets the table's height, so only another width calls for another one, and not at once: that
  // would be a loop to the browser.
  new ResizeObserver(() => {
    if (table.clientWidth !== tableWidth) requestAnimationFrame(layOut);
  }).observe(table);
  // From now on cards glide; they did not fly in to begin with.
  requestAnimationFrame(() => board.classList.add("glide"));
})();
