// What the pages do beyond links and forms. Without it everything can still be read.
(function () {
  "use strict";

  var page = function () { return document.getElementById("page"); };

  // A form in which somebody has begun to write is not taken away.
  var writing = function () {
    return Array.prototype.some.call(document.querySelectorAll("#page form[method=post] textarea, #page form[method=post] input[type=text]"), function (field) {
      return field.value !== field.defaultValue;
    });
  };

  // The server tells when the memory moved; the page is then read again.
  var events = document.body.dataset.events;
  if (events && window.EventSource) {
    new EventSource(events).addEventListener("moved", function () {
      if (writing() || document.activeElement.matches("input, textarea, select")) {
        document.getElementById("moved").hidden = false;
        return;
      }
      htmx.ajax("GET", location.pathname + location.search, { target: "#page", select: "#page", swap: "outerHTML" });
    });
  }

  var highlight = function () {
    if (!window.hljs) return;
    document.querySelectorAll("pre code[class*=language-]:not([data-highlighted])").forEach(function (code) {
      var name = code.className.replace(/.*language-(\S+).*/, "$1");
      if (hljs.getLanguage(name)) hljs.highlightElement(code);
    });
  };

  // A slider over the history: its ends are in data attributes, in seconds.
  var slide = function () {
    document.querySelectorAll("input[data-from]").forEach(function (slider) {
      if (slider.dataset.ready) return;
      slider.dataset.ready = "yes";
      slider.hidden = false;
      var field = document.getElementById(slider.dataset.field);
      var from = Number(slider.dataset.from), to = Number(slider.dataset.to);
      slider.addEventListener("input", function () {
        var at = from + (to - from) * slider.value / slider.max;
        field.value = slider.value === slider.max ? "" : new Date(at * 1000).toISOString().slice(0, 16);
        field.dispatchEvent(new Event("change", { bubbles: true }));
      });
    });
  };

  var ready = function () {
    highlight();
    slide();
    document.querySelectorAll("[data-keys]").forEach(function (b) { b.hidden = false; });
  };
  ready();
  if (innerWidth < 820) document.querySelectorAll("details.filters").forEach(function (d) { d.open = false; });
  document.body.addEventListener("htmx:afterSettle", ready);

  var keys = document.getElementById("keys");
  document.body.addEventListener("click", function (e) {
    if (e.target.closest("[data-keys]")) keys.showModal();
  });

  var step = function (by) {
    var rows = Array.prototype.map.call(page().querySelectorAll("[data-row]"), function (row) { return row.querySelector("a"); });
    if (!rows.length) return;
    var at = rows.indexOf(document.activeElement);
    var next = rows[Math.max(0, Math.min(rows.length - 1, at < 0 ? (by > 0 ? 0 : rows.length - 1) : at + by))];
    next.focus();
    next.scrollIntoView({ block: "nearest" });
  };

  document.addEventListener("keydown", function (e) {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target.matches("input, textarea, select") || keys.open) {
      if (e.key === "Escape") e.target.blur();
      return;
    }
    var search = document.querySelector("input[type=search]");
    if (e.key === "/") {
      e.preventDefault();
      if (search) search.focus(); else location.href = document.querySelector("nav a").href + "#q";
    } else if (e.key === "j") step(1);
    else if (e.key === "k") step(-1);
    else if (e.key === "?") keys.showModal();
  });
  if (location.hash === "#q") { var q = document.querySelector("input[type=search]"); if (q) q.focus(); }
})();
