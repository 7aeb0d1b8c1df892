import '@material/web/button/filled-button.js';
import '@material/web/checkbox/checkbox.js';
import '@material/web/chips/chip-set.js';
import '@material/web/chips/filter-chip.js';
import '@material/web/dialog/dialog.js';
import '@material/web/menu/menu.js';
import '@material/web/menu/menu-item.js';
import '@material/web/radio/radio.js';
import '@material/web/select/outlined-select.js';
import '@material/web/select/select-option.js';
import '@material/web/slider/slider.js';
import '@material/web/switch/switch.js';
import '@material/web/tabs/primary-tab.js';
import '@material/web/tabs/tabs.js';
import '@material/web/textfield/outlined-text-field.js';

document.body.insertAdjacentHTML(
  'beforeend',
  `<h1>Material</h1><md-filled-button onclick="note('pressed')">Save</md-filled-button>
  <md-outlined-text-field id="name" label="Name"></md-outlined-text-field>
  <md-outlined-text-field id="notes" label="Notes" type="textarea"></md-outlined-text-field>
  <md-checkbox id="gift" aria-label="Gift"></md-checkbox><md-switch id="dark" aria-label="Dark"></md-switch>
  <md-radio id="boat" name="way" aria-label="Boat"></md-radio><md-radio id="post" name="way" aria-label="Post"></md-radio>
  <md-outlined-select id="port" label="Port"><md-select-option value="hull"><div slot="headline">Hull</div></md-select-option>
  <md-select-option value="leith"><div slot="headline">Leith</div></md-select-option></md-outlined-select>
  <md-slider id="size" aria-label="Size" min="0" max="10" value="2"></md-slider>
  <md-chip-set><md-filter-chip id="chip" label="Red"></md-filter-chip></md-chip-set>
  <md-tabs id="tabs"><md-primary-tab>One</md-primary-tab><md-primary-tab>Two</md-primary-tab></md-tabs>
  <span style="position: relative"><md-filled-button id="anchor" onclick="document.getElementById('menu').open = true">Menu</md-filled-button>
  <md-menu id="menu" anchor="anchor"><md-menu-item onclick="note('print')"><div slot="headline">Print</div></md-menu-item></md-menu></span>
  <md-filled-button onclick="document.getElementById('ask').show()">Ask</md-filled-button>
  <md-dialog id="ask"><div slot="headline">Sure?</div><form slot="content" id="form" method="dialog">Really?</form>
  <div slot="actions"><md-filled-button form="form" onclick="note('yes')">Yes</md-filled-button></div></md-dialog>`,
);
window.by = (id) => document.getElementById(id);
