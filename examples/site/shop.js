// What the shop sells, and the basket, which lives as long as the tab does.
"use strict";

const TEAS = [
  { id: "sencha", name: "Sencha", kind: "Green", origin: "Japan", price: 9.5, steep: "1 min at 70 °C", text: "Fresh, grassy and bright; the everyday tea of Japan." },
  { id: "gyokuro", name: "Gyokuro", kind: "Green", origin: "Japan", price: 24, steep: "2 min at 55 °C", text: "Shaded for three weeks: sweet, thick, like the sea." },
  { id: "genmaicha", name: "Genmaicha", kind: "Green", origin: "Japan", price: 7, steep: "1 min at 80 °C", text: "Green tea with roasted rice. Tastes of popcorn." },
  { id: "dragon-well", name: "Dragon Well", kind: "Green", origin: "China", price: 14.5, steep: "2 min at 80 °C", text: "Flat leaves pressed by hand in a hot pan; chestnut." },
  { id: "assam", name: "Assam", kind: "Black", origin: "India", price: 6.5, steep: "4 min at 95 °C", text: "Malty and strong. It was made for milk." },
  { id: "darjeeling", name: "Darjeeling", kind: "Black", origin: "India", price: 12, steep: "3 min at 90 °C", text: "The first picking of spring, light and flowery." },
  { id: "ceylon", name: "Ceylon", kind: "Black", origin: "Sri Lanka", price: 6, steep: "4 min at 95 °C", text: "Brisk and clear, with a hint of lemon." },
  { id: "lapsang", name: "Lapsang Souchong", kind: "Black", origin: "China", price: 11, steep: "3 min at 95 °C", text: "Dried over pine smoke. Smells like a camp fire." },
  { id: "tie-guanyin", name: "Tie Guanyin", kind: "Oolong", origin: "China", price: 16, steep: "1 min at 90 °C", text: "Rolled leaves that open five times; orchid." },
  { id: "dong-ding", name: "Dong Ding", kind: "Oolong", origin: "Taiwan", price: 18, steep: "1 min at 90 °C", text: "From the frozen peak: roasted, buttery." },
  { id: "silver-needle", name: "Silver Needle", kind: "White", origin: "China", price: 21, steep: "5 min at 75 °C", text: "Nothing but buds. Melon and hay." },
  { id: "pu-erh", name: "Pu-erh", kind: "Dark", origin: "China", price: 13, steep: "20 s at 100 °C", text: "Ten years in a cellar: earth, leather, plum." },
  { id: "rooibos", name: "Rooibos", kind: "Herbal", origin: "South Africa", price: 5, steep: "6 min at 100 °C", text: "Red, round and without caffeine." },
  { id: "chamomile", name: "Chamomile", kind: "Herbal", origin: "Egypt", price: 4.5, steep: "6 min at 95 °C", text: "Whole flowers for the end of the day." },
];

const money = (amount) => `€${amount.toFixed(2)}`;
const query = (name) => new URLSearchParams(location.search).get(name) ?? "";
const find = (id) => document.getElementById(id);
const linkTo = (tea) => Object.assign(document.createElement("a"), { href: `product.html?tea=${tea.id}`, textContent: tea.name });

const basket = {
  read: () => JSON.parse(sessionStorage.getItem("basket") ?? "{}"),
  add(id, amount) {
    const held = basket.read();
    held[id] = (held[id] ?? 0) + amount;
    sessionStorage.setItem("basket", JSON.stringify(held));
  },
  empty: () => sessionStorage.removeItem("basket"),
  words() {
    const packets = Object.values(basket.read()).reduce((sum, n) => sum + n, 0);
    return packets === 0 ? "Your basket is empty." : `${packets} ${packets === 1 ? "packet" : "packets"} in your basket.`;
  },
};
