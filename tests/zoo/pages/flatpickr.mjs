import flatpickr from 'flatpickr';
import 'flatpickr/dist/flatpickr.css';

document.body.insertAdjacentHTML(
  'beforeend',
  `<h1>Flatpickr</h1><label>Day <input id="day" /></label> <label>Typed <input id="typed" /></label>
  <label>Period <input id="period" /></label> <label>Time <input id="time" /></label>`,
);
const at = { defaultDate: '2026-06-10' };
const made = {
  day: flatpickr('#day', at),
  typed: flatpickr('#typed', { ...at, allowInput: true }),
  period: flatpickr('#period', { mode: 'range', defaultDate: ['2026-06-10'] }),
  time: flatpickr('#time', {
    enableTime: true,
    noCalendar: true,
    dateFormat: 'H:i',
    time_24hr: true,
    defaultDate: '10:30',
  }),
};
window.chosen = (id) =>
  made[id].selectedDates.map((date) => made[id].formatDate(date, id === 'time' ? 'H:i' : 'Y-m-d')).join();
