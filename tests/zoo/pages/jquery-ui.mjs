import $ from 'jquery';
import 'jquery-ui-dist/jquery-ui.css';

window.jQuery = $;
await import('jquery-ui-dist/jquery-ui.js');
document.body.insertAdjacentHTML(
  'beforeend',
  `<h1>jQuery UI</h1><label>Day <input id="day" /></label> <label>Ship <input id="ship" /></label>
  <label for="speed">Speed</label><select id="speed"><option>Slow</option><option>Fast</option></select>
  <label>Count <input id="count" value="3" /></label><div id="size" style="width: 300px; margin: 20px"></div>
  <div id="tabs"><ul><li><a href="#one">One</a></li><li><a href="#two">Two</a></li></ul><div id="one">First</div><div id="two">Second</div></div>
  <div id="fold"><h3>Alpha</h3><div>Alpha text</div><h3>Beta</h3><div>Beta text</div></div>
  <ul id="menu" style="width: 150px"><li><div>File</div><ul><li><div>Print</div></li></ul></li><li><div>Help</div></li></ul>
  <label for="box">Gift</label><input type="checkbox" id="box" /><button id="open">Open</button><div id="ask" title="Sure?">Really?</div>
  <ul id="sort" style="width: 200px"><li>Brig</li><li>Sloop</li><li>Yawl</li></ul>
  <div id="card" tabindex="0" role="button" style="width: 80px; height: 40px; background: #cde">Card</div>
  <div id="hold" tabindex="0" role="group" aria-label="Hold" style="width: 120px; height: 80px; background: #eee"></div>`,
);
$('#day').datepicker({ dateFormat: 'yy-mm-dd', defaultDate: '2026-06-10' });
$('#ship').autocomplete({
  source: ({ term }, found) =>
    setTimeout(() => found(['Brig', 'Brigantine', 'Sloop'].filter((each) => each.startsWith(term))), 300),
});
$('#speed').selectmenu({ change: () => note(`speed ${$('#speed').val()}`) });
$('#count').spinner();
$('#size').slider({ min: 0, max: 10, value: 2 });
$('#tabs').tabs();
$('#fold').accordion({ animate: 200 });
$('#menu').menu({ select: (_event, { item }) => note(`menu ${item.children('div').text()}`) });
$('#box').checkboxradio();
$('#ask').dialog({
  autoOpen: false,
  modal: true,
  buttons: { Yes: () => (note('yes'), $('#ask').dialog('close')) },
});
$('#open')
  .button()
  .on('click', () => $('#ask').dialog('open'));
$('#sort').sortable();
$('#card').draggable();
$('#hold').droppable({ drop: () => note('dropped') });
window.ui = $;
