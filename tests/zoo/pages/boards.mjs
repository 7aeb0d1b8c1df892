import { Dropzone } from 'dropzone';
import 'dropzone/dist/dropzone.css';
import { Sortable } from 'sortablejs';

document.body.insertAdjacentHTML(
  'beforeend',
  `<h1>Boards</h1><div id="sort" role="list">${['Brig', 'Sloop', 'Yawl'].map((name) => `<div role="listitem" tabindex="0" aria-label="${name}" style="padding: 12px; border: 1px solid">${name}</div>`).join('')}</div>
  <div style="display: flex; gap: 20px"><section aria-label="To do" id="todo" style="width: 200px; min-height: 120px; background: #eee"><div class="card" draggable="true" role="button" tabindex="0" style="padding: 12px; background: white">Paint hull</div></section>
  <section aria-label="Doing" id="doing" style="width: 200px; min-height: 120px; background: #ddd"></section></div>
  <div id="knob" role="button" tabindex="0" style="touch-action: none; position: relative; width: 60px; height: 40px; background: #cde">Knob</div>
  <div id="goal" role="button" tabindex="0" style="margin: 20px 0 0 300px; width: 120px; height: 60px; background: #dec">Goal</div>
  <form id="drop" class="dropzone" action="/blank" aria-label="Drop files" role="button" tabindex="0"></form>
  <label>Papers <input id="papers" type="file" multiple /></label>`,
);
Sortable.create(document.getElementById('sort'), { animation: 100 });
const [todo, doing, knob, goal, papers] = ['todo', 'doing', 'knob', 'goal', 'papers'].map((id) =>
  document.getElementById(id),
);
let isHeld = false;
todo.addEventListener('pointerdown', () => (isHeld = true));
for (const type of ['pointerup', 'pointercancel']) addEventListener(type, () => (isHeld = false));
todo.addEventListener('dragstart', (event) => event.dataTransfer.setData('text/plain', 'card'));
doing.addEventListener('dragover', (event) => event.preventDefault());
doing.addEventListener('drop', (event) => {
  event.preventDefault();
  if (!isHeld && event.dataTransfer.getData('text/plain') === 'card')
    doing.append(document.querySelector('.card'));
});
knob.addEventListener('pointerdown', (down) => {
  const move = (event) =>
    (knob.style.translate = `${event.clientX - down.clientX}px ${event.clientY - down.clientY}px`);
  const up = ({ clientX, clientY }) => {
    removeEventListener('pointermove', move);
    const { left, right, top, bottom } = goal.getBoundingClientRect();
    if (clientX > left && clientX < right && clientY > top && clientY < bottom) note('goal');
  };
  addEventListener('pointermove', move);
  addEventListener('pointerup', up, { once: true });
});
Dropzone.autoDiscover = false;
window.zone = new Dropzone('#drop', { autoProcessQueue: false });
papers.addEventListener('change', () => note(`papers ${papers.files.length}`));
window.order = () =>
  [...document.getElementById('sort').children].map(({ textContent }) => textContent).join();
