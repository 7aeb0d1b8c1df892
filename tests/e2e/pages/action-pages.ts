/** Pages that are acted on. What was done there they write down themselves, in `window.done`. */

const document = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title><script>
    window.done = [];
    const note = (what) => { done.push(what); document.getElementById('said').textContent = 'Done: ' + what; };
  </script></head><body><p role="status" id="said"></p>${body}</body></html>`;

const shop = (other: string): string =>
  document(
    'Shop',
    `<h1>Shop</h1>
    <button id="save" onclick="note('saved')">Save</button>
    <button id="twice" ondblclick="note('twice')">Twice</button>
    <div style="position:relative;width:200px"><button onclick="note('under')">Under</button>
      <div role="dialog" aria-label="Cookies" style="position:absolute;inset:0;background:#eee">Cookies?</div></div>
    <button disabled onclick="note('sold')">Sold out</button>
    <button onclick="event.isTrusted && note('gate')">Gate</button>
    <button onclick="0">Idle</button>
    <div id="again"><button>Renewed</button></div>
    <x-closed><template shadowrootmode="closed"><button>Inside</button></template></x-closed>
    <button id="menu">Menu</button><div id="items" hidden>Item one</div>
    <a href="/act-next">Next</a> <a href="${other}/act-next">Elsewhere</a>
    <a target="_blank" href="/act-next">New tab</a> <a target="_blank" href="${other}/act-next">New elsewhere</a>
    <a target="_blank" href="/act-next" onclick="event.preventDefault(); note('kept')">Kept</a>
    <a target="pane" href="${other}/act-next">Named elsewhere</a> <a target="inner" href="/act-next">In a frame</a>
    <iframe name="inner" src="/act-inner" width="300" height="100"></iframe>
    <iframe src="${other}/act-inner" width="300" height="100"></iframe>
    <div style="height:3000px"></div><button id="far" onclick="note('far')">Far</button>
    <script>
      const order = [];
      for (const type of 'pointerover pointerdown mousedown focus pointerup mouseup click'.split(' '))
        document.getElementById('save').addEventListener(type, (event) =>
          order.push(type + (event.composed && !event.clientX && type !== 'focus' ? '?' : '')));
      window.order = order;
      const again = document.getElementById('again');
      const renew = () => {
        again.innerHTML = '<button>Renewed</button>';
        again.firstChild.onmousedown = renew;
        again.firstChild.onclick = () => note('renewed');
      };
      renew();
      document.getElementById('menu').addEventListener('mouseover', () => (document.getElementById('items').hidden = false));
    </script>
    <script>
      const host = document.querySelector('x-closed');
      host.addEventListener('click', (event) => note('inside'));
    </script>`,
  );

const form = document(
  'Order',
  `<form onsubmit="event.preventDefault(); note('sent ' + JSON.stringify(Object.fromEntries(new FormData(this))))">
  <label>Name <input name="name" value="Ada"></label>
  <label>Mail <input name="mail" type="email"></label>
  <label>Greeting <input name="greeting"></label>
  <label>Nick <input name="nick" onkeydown="this.form.secret.focus()" oninput="this.form.secret.focus()"></label>
  <label>Notes <textarea name="notes"></textarea></label>
  <div role="textbox" aria-label="Letter" contenteditable oninput="done.push('letter')"></div>
  <label><input type="checkbox" name="gift"> Gift</label>
  <label><input type="radio" name="way" value="post"> Post</label><label><input type="radio" name="way" value="boat"> Boat</label>
  <label>Plan <select name="plan"><option value="f">Free</option><option value="p">Pro</option></select></label>
  <label>Tags <select name="tags" multiple><option>Red</option><option>Green</option><option>Blue</option></select></label>
  <label>Day <input type="date" name="day"></label>
  <label>Size <input type="range" name="size" min="0" max="10" value="1"></label>
  <label>Colour <input type="color" name="colour"></label>
  <label>Fixed <input name="fixed" readonly value="as it is"></label>
  <label>Digits <input name="digits" oninput="this.value = this.value.replace(/\\D/g, '')"></label>
  <label>Password <input type="password" name="secret"></label>
  <label>Card <input autocomplete="cc-number" name="number"></label>
  <label>Code <input name="user[otp_attempt]"></label>
  <label>Expires <select autocomplete="cc-exp-month" name="until"><option>01</option><option selected>11</option></select></label>
  <button>Order</button></form>
  <fieldset><legend>Vault</legend><input type="password" value="hunter3" aria-label="Vault key"></fieldset>
  <label>Stock <input type="number" value="4"></label> <label>Find <input type="search" value="boats"></label>
  <form id="in"><label>Entry <input type="password" name="entry"></label><button type="button" onclick="
    this.previousElementSibling.innerHTML = 'Entry <input name=entry value=hunter4>'">Show</button></form>
  <form aria-label="Odd"><input name="focus" aria-label="Focus"></form>
  <div role="combobox" tabindex="0" aria-label="Port" aria-controls="ports">Choose</div>
  <div role="listbox" id="ports" hidden><div role="option">Hull</div><div role="option">Leith</div></div>
  <script>
    const port = document.querySelector('[aria-label=Port]'), ports = document.getElementById('ports');
    port.onclick = () => setTimeout(() => (ports.hidden = false), 30);
    ports.onclick = ({ target }) => { port.textContent = target.textContent; ports.hidden = true; };
    window.keys = [];
    for (const type of ['keydown', 'beforeinput', 'input', 'keyup', 'change'])
      document.querySelector('[name=mail]').addEventListener(type, () => keys.push(type));
  </script>`,
);

const widgets = document(
  'Board',
  `<ul aria-label="Todo"><li draggable="true" id="card" tabindex="0" role="button">Paint</li></ul>
  <ul aria-label="Done" id="bin" style="min-height:60px;background:#eee"></ul>
  <p role="button" tabindex="0" aria-label="Wall">Wall</p>
  <div role="button" tabindex="0" aria-label="Puck" id="puck" style="position:absolute;left:20px;top:260px;width:40px;height:40px;background:#ccc"></div>
  <div role="button" tabindex="0" aria-label="Goal" id="goal" style="position:absolute;left:200px;top:260px;width:80px;height:80px;background:#ddd"></div>
  <div role="slider" tabindex="0" aria-label="Volume" id="volume" aria-valuemin="0" aria-valuemax="10" aria-valuenow="3" style="width:20px;height:20px;background:#aaa"></div>
  <div role="switch" tabindex="0" aria-label="Light" aria-checked="false" id="light">Light</div>
  <button id="many" onclick="note([event.ctrlKey, event.shiftKey].join())">Many</button>
  <script>
    const $ = (id) => document.getElementById(id);
    $('card').ondragstart = ({ dataTransfer }) => dataTransfer.setData('text/plain', 'card');
    $('bin').ondragover = (event) => event.preventDefault();
    $('bin').ondrop = ({ dataTransfer }) => { $('bin').append($(dataTransfer.getData('text/plain'))); note('dropped'); };
    let isHeld = false;
    $('puck').onpointerdown = () => (isHeld = true);
    document.addEventListener('pointermove', ({ clientX }) => isHeld && ($('puck').style.left = clientX - 20 + 'px'));
    document.addEventListener('pointerup', ({ clientX }) => { if (isHeld && clientX > 200) note('goal'); isHeld = false; });
    $('volume').onkeydown = ({ key }) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[key] ?? 0;
      $('volume').setAttribute('aria-valuenow', Number($('volume').getAttribute('aria-valuenow')) + step);
    };
    $('light').onclick = () => $('light').setAttribute('aria-checked', $('light').getAttribute('aria-checked') !== 'true');
  </script>`,
);

/** Writes down what comes to its elements, in `window.log`. */
const events = document(
  'Events',
  `<style>body { margin: 0 } body > * { position: absolute; width: 90px; height: 30px; left: 20px }</style>
  <div id="box" style="top:40px"><button id="one"><b id="inner">One</b></button></div>
  <button id="two" style="top:100px">Two</button>
  <div id="card" role="button" tabindex="0" draggable="true" style="top:160px">Card</div>
  <div id="bin" role="button" tabindex="0" style="top:220px">Bin</div>
  <div id="puck" role="button" tabindex="0" style="top:280px">Puck</div>
  <input id="field" aria-label="Field" style="top:340px">
  <script>
    window.log = [];
    const names = new Map([...document.body.querySelectorAll('[id]:not(#said)')].map((each) => [each, each.id]));
    const held = (event) => ['ctrl', 'shift', 'alt', 'meta'].filter((key) => event[key + 'Key']).join('+');
    const tell = (event) => {
      if (event.target !== event.currentTarget) return;
      const { type, target, relatedTarget, key, code, keyCode, location, button, buttons, detail } = event;
      const told = [target.id, type, held(event), event.bubbles, event.composed];
      if (key) told.push(key, code, keyCode, location);
      else if (/^(pointer|mouse|click|auxclick|context|dblclick)/.test(type) && type !== 'pointercancel')
        told.push(button, buttons, detail, event.isPrimary, event.pressure);
      if (/over|out|enter|leave|focus|blur/.test(type)) told.push(names.get(relatedTarget));
      const line = told.join(' ');
      if (!log.slice(-2).includes(line)) log.push(line); // a drag has many moves
      document.getElementById('said').ariaLabel = line; // seen at once, without a layout, at which a mouse is moved
    };
    const kinds = ['over', 'enter', 'out', 'leave', 'move', 'down', 'up', 'cancel'];
    for (const each of names.keys())
      for (const type of [...kinds.flatMap((kind) => ['pointer' + kind, 'mouse' + kind]), 'click', 'dblclick', 'auxclick',
        'contextmenu', 'focus', 'blur', 'dragstart', 'drop', 'dragend', 'keydown', 'keypress', 'keyup'])
        each.addEventListener(type, tell);
    document.getElementById('bin').ondragover = (event) => event.preventDefault();
    document.getElementById('card').addEventListener('dragstart', (event) => event.dataTransfer.setData('text', 'x'));
  </script>`,
);

/** What comes is told by name and SHA-256. */
const uploads = document(
  'Apply',
  `<label for="papers">Papers</label><input type="file" id="papers" multiple hidden>
  <label>Portrait <input type="file" id="portrait" accept="image/png, .jpg" style="display:none"></label>
  <button type="button" id="pick">Pick</button><section><input type="file" id="picked" hidden></section>
  <input type="file" id="sent" aria-label="Sent at once">
  <div role="group" aria-label="Zone" id="zone" tabindex="0" style="height:60px;background:#eee">Drop here</div>
  <div role="group" aria-label="Wall" id="wall" tabindex="0" style="height:60px">Nothing here</div>
  <script>
    const $ = (id) => document.getElementById(id);
    const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    const told = async (files) => (await Promise.all([...files].map(async (file) =>
      file.name + ' ' + file.type + ' ' + hex(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()))))).join('; ');
    for (const id of ['papers', 'portrait', 'picked']) {
      $(id).addEventListener('input', () => done.push(id + ' input'));
      $(id).addEventListener('change', async () => note(id + ': ' + await told($(id).files)));
    }
    $('sent').onchange = async () => { const files = [...$('sent').files]; $('sent').value = ''; note('sent: ' + await told(files)); };
    $('pick').onclick = () => $('picked').click();
    $('zone').ondragover = (event) => event.preventDefault();
    $('zone').ondrop = async (event) => { event.preventDefault(); note('zone: ' + await told(event.dataTransfer.files)); };
  </script>`,
);

/** With dialogs of the browser's. What stands in their place when the page begins is `natives`. */
const dialogs = document(
  'Files',
  `<script>const natives = [alert, confirm, prompt];</script>
  <button onclick="alert('High\\ntide!'); note('warned')">Warn</button>
  <button onclick="note('deleted ' + confirm('Delete 3 files?'))">Delete</button>
  <button onclick="note('named ' + prompt('Name?', 'Ada'))">Name</button>
  <button onclick="note('both ' + confirm('One?') + confirm('Two?'))">Both</button>
  <button onclick="setTimeout(() => note('late ' + confirm('Late?')), 300)">Late</button>
  <button onclick="if (confirm('Leave?')) location = '/act-next'">Leave</button>
  <button onclick="note('waits'); document.onkeydown = () => note('by hand ' + confirm('By hand?'))">Key</button>
  <iframe src="/act-dialog" width="300" height="100"></iframe>`,
);

/** It takes its time at each key and each move, and writes them down: `b` for that key, `a` for all else. */
const slow = document(
  'Slow',
  `<form onsubmit="event.preventDefault(); note('sent')"><label>Name <input></label>
  ${Array.from({ length: 12 }, (_, at) => `<label>Field ${at} <input></label>`).join('')}</form>
  <label>Other <input></label>
  <div role="slider" tabindex="0" aria-label="Speed" aria-valuemin="0" aria-valuemax="500" aria-valuenow="0">Speed</div>
  <button id="card">Card</button><p><button>Bin</button></p>
  <script>
    window.log = '';
    const take = (what, ms) => {
      log += what;
      for (const begun = performance.now(); performance.now() - begun < ms;);
    };
    addEventListener('keydown', ({ isTrusted, key }) => isTrusted || take(key === 'b' ? 'b' : 'a', 40));
    addEventListener('keydown', ({ target }) =>
      target.role === 'slider' && target.setAttribute('aria-valuenow', +target.getAttribute('aria-valuenow') + 1));
    let from;
    const place = ({ clientX, clientY }) => [clientX, clientY].map(Math.floor).join();
    card.onpointerdown = (event) => {
      from = place(event);
      addEventListener('pointermove', () => take('a', 200));
    };
    for (const type of ['pointercancel', 'pointerup', 'mouseup'])
      addEventListener(type, (event) => done.push(type + (from === place(event) ? ' back' : '')));
  </script>`,
);

export const actionPages = (other: string): Record<string, string> => ({
  '/act': shop(other),
  '/act-form': form,
  '/act-files': uploads,
  '/act-widgets': widgets,
  '/act-events': events,
  '/act-slow': slow,
  '/act-dialogs': dialogs,
  '/act-dialog': document(
    'Inner',
    `<button onclick="parent.done.push('inner ' + confirm('Inner?'))">Inner</button>`,
  ),
  '/act-guard': document(
    'Guard',
    `<script>addEventListener('beforeunload', (event) => event.preventDefault());</script>`,
  ),
  '/act-next': document('Next', '<h1>Next page</h1>'),
  '/act-sandbox': document(
    'Mail',
    `<label>Own <input></label>
    <iframe sandbox="allow-scripts" srcdoc="<label>Note <input></label>" width="300" height="100"></iframe>
    <iframe sandbox="allow-scripts" src="/act-inner" width="300" height="100"></iframe>
    <iframe src="data:text/html,<label>Given <input></label>" width="300" height="100"></iframe>`,
  ),
  '/act-sandboxed': document('Upload', '<label>Note <input></label><div style="height: 3000px"></div>'),
  '/act-inner': document('Inner', '<button onclick="note(\'inner\')">Inner</button>'),
});
