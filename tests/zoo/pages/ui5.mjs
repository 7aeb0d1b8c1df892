import '@ui5/webcomponents/dist/Assets.js';
import '@ui5/webcomponents/dist/Button.js';
import '@ui5/webcomponents/dist/CheckBox.js';
import '@ui5/webcomponents/dist/ComboBox.js';
import '@ui5/webcomponents/dist/ComboBoxItem.js';
import '@ui5/webcomponents/dist/DatePicker.js';
import '@ui5/webcomponents/dist/Dialog.js';
import '@ui5/webcomponents/dist/Input.js';
import '@ui5/webcomponents/dist/List.js';
import '@ui5/webcomponents/dist/ListItemStandard.js';
import '@ui5/webcomponents/dist/MultiComboBox.js';
import '@ui5/webcomponents/dist/MultiComboBoxItem.js';
import '@ui5/webcomponents/dist/Option.js';
import '@ui5/webcomponents/dist/RadioButton.js';
import '@ui5/webcomponents/dist/Select.js';
import '@ui5/webcomponents/dist/Slider.js';
import '@ui5/webcomponents/dist/StepInput.js';
import '@ui5/webcomponents/dist/Switch.js';
import '@ui5/webcomponents/dist/Tab.js';
import '@ui5/webcomponents/dist/TabContainer.js';
import '@ui5/webcomponents/dist/TextArea.js';

document.body.insertAdjacentHTML(
  'beforeend',
  `<h1>UI5</h1><ui5-button id="save">Save</ui5-button><ui5-input id="name" accessible-name="Name"></ui5-input>
  <ui5-textarea id="notes" accessible-name="Notes"></ui5-textarea><ui5-checkbox id="gift" text="Gift"></ui5-checkbox>
  <ui5-switch id="dark" accessible-name="Dark"></ui5-switch><ui5-radio-button id="boat" name="way" text="Boat"></ui5-radio-button>
  <ui5-select id="port" accessible-name="Port"><ui5-option value="hull">Hull</ui5-option><ui5-option value="leith">Leith</ui5-option></ui5-select>
  <ui5-combobox id="ship" accessible-name="Ship"><ui5-cb-item text="Brig"></ui5-cb-item><ui5-cb-item text="Sloop"></ui5-cb-item></ui5-combobox>
  <ui5-multi-combobox id="tags" accessible-name="Tags"><ui5-mcb-item text="Red"></ui5-mcb-item><ui5-mcb-item text="Blue"></ui5-mcb-item></ui5-multi-combobox>
  <ui5-step-input id="count" value="3" accessible-name="Count"></ui5-step-input><ui5-slider id="size" min="0" max="10" value="2" accessible-name="Size"></ui5-slider>
  <ui5-date-picker id="day" format-pattern="yyyy-MM-dd" accessible-name="Day"></ui5-date-picker>
  <ui5-list id="list" selection-mode="Single"><ui5-li>Yawl</ui5-li><ui5-li>Ketch</ui5-li></ui5-list>
  <ui5-tabcontainer><ui5-tab text="One">First</ui5-tab><ui5-tab text="Two">Second</ui5-tab></ui5-tabcontainer>
  <ui5-button id="ask">Ask</ui5-button><ui5-dialog id="dialog" header-text="Sure?"><ui5-button id="yes">Yes</ui5-button></ui5-dialog>`,
);
window.by = (id) => document.getElementById(id);
window.by('save').addEventListener('click', () => note('saved'));
window.by('ask').addEventListener('click', () => (window.by('dialog').open = true));
window.by('yes').addEventListener('click', () => (note('yes'), (window.by('dialog').open = false)));
window
  .by('list')
  .addEventListener('selection-change', ({ detail }) => note(detail.selectedItems[0].textContent));
