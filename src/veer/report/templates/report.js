document.querySelectorAll("[data-unfold]").forEach(function (button) {
  button.addEventListener("click", function () {
    document.querySelectorAll(".tree details").forEach(function (node) { node.open = button.dataset.unfold === "open"; });
  });
});
