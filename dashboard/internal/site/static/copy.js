// The search of a copy: it goes through all facts, which are in files beside the pages.
var engramCopy = (function () {
  "use strict";

  var box = document.querySelector("[data-copy]"), input = document.getElementById("q"), place = document.getElementById("found");
  if (!box) return { begin: function () {}, add: function () {} };
  var listed = place.innerHTML, shown = 50, facts = [], parts = -1, loaded = 0, asked = false;
  var fields = { scope: 2, kind: 3, fact_type: 4, agent_id: 5, state: 6, freshness: 7 };
  var root = document.querySelector("link[rel=stylesheet]").getAttribute("href").replace(/static\/.*$/, "");

  var fold = function (text) { return text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase(); };
  var load = function (n) {
    var script = document.createElement("script");
    script.src = root + "search/" + n + ".js";
    document.head.appendChild(script);
  };
  var make = function (tag, name, text) {
    var e = document.createElement(tag);
    if (name) e.className = name;
    if (text) e.textContent = text;
    return e;
  };

  var row = function (f) {
    var li = make("li", "row"), a = make("a", "claim", f[1]), meta = make("div", "meta");
    li.dataset.row = "";
    a.href = root + f[8];
    meta.appendChild(make("code", "key", f[0]));
    [f[2], f[3].replace(/_/g, " "), f[5]].forEach(function (t) { if (t) meta.appendChild(make("span", "", t)); });
    if (f[7] === "drifted" || f[7] === "missing") meta.appendChild(make("span", "badge bad", f[7]));
    if (f[6] && f[6] !== "current") meta.appendChild(make("span", "badge calm", f[6]));
    li.appendChild(a);
    li.appendChild(meta);
    return li;
  };

  // A word of the claim counts most, the beginning of one less, a part of a word least.
  var rate = function (f, words) {
    var total = 0;
    for (var i = 0; i < words.length; i++) {
      var w = words[i], at = f.text.indexOf(w), best = 0;
      while (at >= 0 && best < 4) {
        var begins = at === 0 || !/[\p{L}\p{N}]/u.test(f.text[at - 1]), end = f.text[at + w.length];
        var whole = begins && (end === undefined || !/[\p{L}\p{N}]/u.test(end));
        best = Math.max(best, (whole ? 2 : begins ? 1 : 0.5) * (at < f.claim ? 2 : 1));
        at = f.text.indexOf(w, at + 1);
      }
      if (!best) return 0;
      total += best;
    }
    return total;
  };

  var filters = function () {
    var list = [];
    new URLSearchParams(location.hash.slice(1)).forEach(function (value, name) {
      if (fields[name] && value) list.push([name, value]);
    });
    return list;
  };
  // As on the server, what no longer holds is found only if its state is asked for.
  var passes = function (f, list) {
    var asked = list.some(function (p) { return p[0] === "state"; });
    return (asked || f[6] === "current" || f[6] === "scheduled") && list.every(function (p) {
      var has = f[fields[p[0]]];
      return has === p[1] || p[0] === "scope" && has.indexOf(p[1] + "/") === 0;
    });
  };

  var show = function () {
    var words = fold(input.value).split(/\s+/).filter(Boolean), list = filters();
    if (!words.length && !list.length) { place.innerHTML = listed; return; }
    if (!asked) { asked = true; load(0); }
    var hits = [];
    facts.forEach(function (f) {
      var points = passes(f, list) ? words.length ? rate(f, words) : 1 : 0;
      if (points) hits.push([points, f]);
    });
    hits.sort(function (a, b) { return b[0] - a[0]; }); // equal ones stay in the order of their keys
    place.textContent = "";
    var meta = make("p", "meta", "");
    var more = parts < 0 || loaded < parts ? ", still reading" : hits.length > shown ? ", the first " + shown + " are shown" : "";
    meta.appendChild(make("span", "", hits.length + (hits.length === 1 ? " fact" : " facts") + more));
    list.forEach(function (p) {
      var a = make("a", "badge calm", p[1].replace(/_/g, " ") + " ✕"), rest = new URLSearchParams(location.hash.slice(1));
      rest.delete(p[0]);
      a.href = "#" + rest;
      meta.appendChild(a);
    });
    place.appendChild(meta);
    if (hits.length) {
      var rows = place.appendChild(make("ul", "rows"));
      hits.slice(0, shown).forEach(function (h) { rows.appendChild(row(h[1])); });
    } else if (loaded === parts) {
      place.appendChild(make("div", "empty")).appendChild(make("p", "", "No fact has all of these words."));
    }
  };

  box.hidden = false;
  input.addEventListener("input", show);
  window.addEventListener("hashchange", show);

  return {
    begin: function (all) { parts = all.parts; if (parts) load(1); else show(); },
    add: function (list) {
      list.forEach(function (f) {
        f.text = fold(f[1] + "\n" + f[0] + "\n" + f[2]);
        f.claim = fold(f[1]).length;
        facts.push(f);
      });
      loaded++;
      if (loaded < parts) load(loaded + 1);
      show();
    },
    start: function () { if (filters().length || input.value) show(); }
  };
})();
if (engramCopy.start) engramCopy.start();
