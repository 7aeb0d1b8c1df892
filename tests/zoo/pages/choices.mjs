import Choices from 'choices.js';
import 'choices.js/public/assets/styles/choices.css';

document.body.insertAdjacentHTML(
  'beforeend',
  `<h1>Choices</h1><label for="port">Port</label>
  <select id="port"><option value="hull">Hull</option><option value="leith">Leith</option><option value="cork">Cork</option></select>
  <label for="tags">Tags</label>
  <select id="tags" multiple><option value="red">Red</option><option value="green">Green</option><option value="blue">Blue</option></select>
  <label for="words">Words</label><input id="words" type="text" />`,
);
const removable = { removeItemButton: true };
const made = {
  port: new Choices('#port'),
  tags: new Choices('#tags', removable),
  words: new Choices('#words', removable),
};
window.chosen = (id) => String(made[id].getValue(true));
