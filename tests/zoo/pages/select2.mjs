import $ from 'jquery';
import 'select2/dist/css/select2.css';
import select2 from 'select2';

document.body.insertAdjacentHTML(
  'beforeend',
  `<h1>Select2</h1><label for="port">Port</label><select id="port" style="width: 200px"></select>
  <label for="tags">Tags</label><select id="tags" multiple style="width: 300px"></select>
  <label for="late">Late</label><select id="late" style="width: 200px"></select>`,
);
if (!$.fn.select2) select2(window, $);
const named = (names) => names.map((text) => ({ id: text.toLowerCase(), text }));
$('#port').select2({ data: named(['Hull', 'Leith', 'Cork']) });
$('#tags').select2({ data: named(['Red', 'Green', 'Blue']), tags: true });
/** Answers as a server would, after a while. */
function transport({ data }, success) {
  const found = named(['Aberdeen', 'Aberdour', 'Ayr']).filter(({ text }) => text.startsWith(data.q ?? ''));
  // Without an id of its own select2 4.1.0 asks for a container that its answer has not.
  setTimeout(() => success({ results: found.map((each) => ({ ...each, _resultId: each.id })) }), 400);
}
$('#late').select2({
  ajax: { delay: 100, data: ({ term }) => ({ q: term }), transport },
  minimumInputLength: 1,
});
window.chosen = (id) => String($(`#${id}`).val());
