(() => {
  "use strict";
  // Names, texts and identifiers were written by strangers: they reach the page as textContent only.
  const data = JSON.parse(document.getElementById("hands").textContent);
  const hands = data.hands, byId = (id) => document.getElementById(id);
  const BOARD = {preflop: 0, flop: 3, turn: 4, river: 5}, STREETS = ["preflop", "flop", "turn", "river"];
  const FORCED = ["ante", "small blind", "big blind"], SUITS = {s: "♠", h: "♥", d: "♦", c: "♣"};
  const chips = (count) => Math.round(count).toLocaleString("en-US");
  const signed = (count) => (count > 0 ? "+" : count < 0 ? "−" : "") + chips(Math.abs(count));
  let hand, steps, at = 0, number = 0;

  function element(tag, name, text) {
    const made = document.createElement(tag);
    if (name) made.className = name;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  function card(name, hidden) {
    if (!name) return element("span", "card gap");
    if (hidden) return element("span", "card back");
    const made = element("span", "card " + name[1]);
    made.append(element("b", "", name[0] === "T" ? "10" : name[0]), element("i", "", SUITS[name[1]]));
    return made;
  }

  function name(seat) {
    return data.names[hand.players[seat]];
  }

  // What the table looks like after each event: the blinds, every action, every street, the end.
  function unfold() {
    const found = [], seats = hand.players.length;
    const now = {street: "preflop", stacks: [...hand.stacks], bets: Array(seats).fill(0), folded: Array(seats).fill(false), pot: 0};
    const push = (label, more) => found.push({
      ...now, stacks: [...now.stacks], bets: [...now.bets], folded: [...now.folded], seat: null, said: null, label, ...more,
    });
    const collect = () => {
      // What nobody called goes back.
      const most = Math.max(...now.bets), seat = now.bets.indexOf(most);
      const second = Math.max(...now.bets.filter((_, other) => other !== seat));
      now.stacks[seat] += most - second;
      now.bets[seat] = second;
      now.pot += now.bets.reduce((sum, bet) => sum + bet, 0);
      now.bets.fill(0);
    };
    const deal = (street) => {
      collect();
      now.street = street;
      push(street[0].toUpperCase() + street.slice(1), {heading: true});
    };
    let posted = false;
    for (const [index, [street, seat, act, to, allIn]] of hand.actions.entries()) {
      if (!FORCED.includes(act) && !posted) {
        posted = true;
        push("Blinds posted, cards dealt", {heading: true});
      }
      while (now.street !== street) deal(STREETS[STREETS.indexOf(now.street) + 1]);
      const before = now.bets[seat];
      if (act === "ante") {
        now.stacks[seat] -= to;
        now.pot += to;
      } else if (act === "fold") {
        now.folded[seat] = true;
      } else {
        now.stacks[seat] -= to - before;
        now.bets[seat] = to;
      }
      if (FORCED.includes(act)) continue;
      const words = {
        fold: "folds", check: "checks", call: "calls " + chips(to - before), bet: "bets " + chips(to), raise: "raises to " + chips(to),
      };
      push((words[act] || act) + (allIn ? ", all-in" : ""), {seat, said: hand.said[index]});
    }
    if (!posted) push("Blinds posted, cards dealt", {heading: true});
    while (BOARD[now.street] < hand.board.length) deal(STREETS[STREETS.indexOf(now.street) + 1]);
    collect();
    const won = hand.net.map((net, seat) => net + hand.stacks[seat] - now.stacks[seat]);
    const label = won.flatMap((gain, seat) => (gain > 0 ? [name(seat) + " wins " + chips(gain) + (hand.ranks[seat] ? " with " + hand.ranks[seat] : "")] : []));
    now.stacks = hand.stacks.map((stack, seat) => stack + hand.net[seat]);
    push(label.join("; "), {heading: true, won});
    return found;
  }

  function sit() {
    const felt = byId("felt"), count = hand.players.length, column = Math.ceil((count - 2) / 2);
    felt.replaceChildren();
    for (let seat = 0; seat < count; seat++) {
      const angle = (2 * Math.PI * seat) / count, across = Math.sin(angle), down = Math.cos(angle);
      const seatBox = element("div", "seat"), bet = element("div", "bet");
      // On a phone: one at the bottom, one at the top if the number is even, the others in two columns.
      const top = count % 2 === 0 && seat === count / 2, left = seat <= (count - 1) / 2;
      const rows = Math.floor((count - 1) / 2), row = left ? rows - seat : seat - (count - rows);
      const place = {
        x: 50 - 41 * across, y: 50 + 40 * down, bx: 50 - 25 * across, by: 50 + 22 * down + (down > 0.9 ? 1 : 0),
        px: seat === 0 || top ? 50 : left ? 14.5 : 85.5,
        py: seat === 0 ? 91 : top ? 8 : rows === 1 ? 45 : 24 + (row * 50) / (rows - 1),
      };
      for (const made of [seatBox, bet]) for (const [key, value] of Object.entries(place)) made.style.setProperty("--" + key, value + "%");
      const label = element("div", "label", name(seat).replaceAll("-", "\u2011"));  // two lines: break between words
      label.title = name(seat);
      seatBox.append(label, element("div", "cards"), element("div", "stack"));
      if (seat === hand.button) seatBox.append(element("span", "dealer", "D"));
      felt.append(seatBox, bet);
    }
    const middle = element("div", "middle");
    middle.append(element("div", "cards"), element("div", "pot"));
    felt.append(middle);
  }

  function show() {
    const step = steps[at], open = byId("open").checked, felt = byId("felt");
    const seats = felt.querySelectorAll(".seat"), bets = felt.querySelectorAll(".bet");
    seats.forEach((box, seat) => {
      const shown = step.won && hand.shown[seat].length > 0;
      box.classList.toggle("acts", step.seat === seat);
      box.classList.toggle("folded", step.folded[seat]);
      box.querySelector(".cards").replaceChildren(...hand.hole[seat].map((held) => card(held, !open && !shown)));
      box.querySelector(".stack").textContent = chips(step.stacks[seat]);
      const gain = step.won ? hand.net[seat] : 0;
      bets[seat].textContent = gain ? signed(gain) : step.bets[seat] ? chips(step.bets[seat]) : "";
      bets[seat].classList.toggle("won", gain > 0);
    });
    const dealt = step.won ? hand.board.length : BOARD[step.street];
    felt.querySelector(".middle .cards").replaceChildren(...[0, 1, 2, 3, 4].map((place) => card(place < dealt ? hand.board[place] : null)));
    felt.querySelector(".pot").textContent = "Pot " + chips(step.pot + step.bets.reduce((sum, bet) => sum + bet, 0));
    told(step);
    byId("log").querySelectorAll("li").forEach((line, place) => {
      if (place !== at) return line.removeAttribute("aria-current");
      line.setAttribute("aria-current", "step");
      const list = byId("log"), above = line.offsetTop - list.offsetTop;
      if (above < list.scrollTop || above + line.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = above - list.clientHeight / 2;
    });
    byId("back").disabled = at === 0 && number === 0;
    byId("next").disabled = at === steps.length - 1 && number === hands.length - 1;
    byId("earlier").disabled = number === 0;
    byId("later").disabled = number === hands.length - 1;
  }

  function told(step) {
    const now = byId("now");
    now.replaceChildren(element("h3", "", (step.seat === null ? "" : name(step.seat) + " ") + step.label));
    if (!step.said) return;
    for (const said of step.said) {
      if (said.text) {
        const text = element("div", "text", said.text);
        text.dir = "auto";
        now.append(text);
      }
      if (said.reason) now.append(element("div", "small no", (said.illegal ? "Not legal" : "Not read") + (said.kind === "retry" ? ", asked again: " : ": ") + said.reason));
      if (said.seconds >= 0.1) now.append(element("div", "small", said.seconds.toFixed(1) + " s"));
    }
  }

  function open(index, step) {
    number = Math.min(Math.max(index, 0), hands.length - 1);
    hand = hands[number];
    steps = unfold();
    at = step < 0 ? steps.length - 1 : Math.min(step, steps.length - 1);
    sit();
    byId("which").textContent = hand.match;
    byId("number").value = number;
    byId("log").replaceChildren(...steps.map((one, place) => {
      const line = element("li", one.heading ? "street" : ""), button = element("button", "", (one.seat === null ? "" : name(one.seat) + " ") + one.label);
      button.type = "button";
      button.addEventListener("click", () => go(place));
      line.append(button);
      return line;
    }));
    byId("list").querySelectorAll("tr").forEach((row) => row.toggleAttribute("aria-current", Number(row.dataset.hand) === number));
    go(at);
  }

  function go(step) {
    if (step < 0) return number > 0 ? open(number - 1, -1) : undefined;
    if (step >= steps.length) return number < hands.length - 1 ? open(number + 1, 0) : undefined;
    at = step;
    show();
    history.replaceState(null, "", "#" + (number + 1) + (at ? "." + at : ""));
  }

  function linked() {
    const [index, step] = location.hash.slice(1).split(".").map(Number);
    open((index || 1) - 1, step || 0);
  }

  function list() {
    const order = byId("order").value, places = hands.map((_, index) => index);
    const unread = (one) => one.said.flat().filter((said) => said && said.reason).length;
    if (order !== "played") places.sort((a, b) => (order === "pot" ? hands[b].pot - hands[a].pot : unread(hands[b]) - unread(hands[a])) || a - b);
    byId("list").replaceChildren(...places.map((index) => {
      const one = hands[index], row = element("tr"), button = element("button", "", String(index + 1));
      const first = element("td", "num"), bad = unread(one);
      button.type = "button";
      button.addEventListener("click", () => { open(index, 0); byId("felt").scrollIntoView({block: "center"}); });
      first.append(button);
      row.dataset.hand = index;
      row.toggleAttribute("aria-current", index === number);
      const gained = one.net.flatMap((net, seat) => (net > 0 ? [data.names[one.players[seat]] + " " + signed(net)] : []));
      row.append(first, element("td", "num", chips(one.pot)), element("td", "wide", gained.join(", ")),
        element("td", "", one.shown.filter((shown) => shown.length).length > 1 ? "showdown" : one.end), element("td", "num", bad ? String(bad) : ""));
      return row;
    }));
  }

  byId("back").addEventListener("click", () => go(at - 1));
  byId("next").addEventListener("click", () => go(at + 1));
  byId("earlier").addEventListener("click", () => open(number - 1, 0));
  byId("later").addEventListener("click", () => open(number + 1, 0));
  byId("open").addEventListener("change", show);
  byId("order").addEventListener("change", list);
  byId("number").addEventListener("change", (event) => open(Number(event.target.value), 0));
  hands.forEach((one, index) => byId("number").append(new Option("Hand " + (index + 1), index)));
  window.addEventListener("hashchange", linked);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
    const jobs = {
      ArrowRight: () => (event.shiftKey ? open(number + 1, 0) : go(at + 1)), ArrowLeft: () => (event.shiftKey ? open(number - 1, 0) : go(at - 1)),
      Home: () => go(0), End: () => go(steps.length - 1),
      h: () => { byId("open").checked = !byId("open").checked; show(); },
    };
    if (!(event.key in jobs)) return;
    event.preventDefault();
    jobs[event.key]();
  });
  list();
  linked();
})();
