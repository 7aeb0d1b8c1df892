import { createElement, useState } from 'react';
import { createRoot } from 'react-dom/client';
import Select from 'react-select';
import Async from 'react-select/async';
import Creatable from 'react-select/creatable';

const named = (names) => names.map((label) => ({ label, value: label.toLowerCase() }));
const ports = named(['Hull', 'Leith', 'Cork']);
window.chosen = {};
const onChange = (name) => (option) =>
  (window.chosen[name] = [option]
    .flat()
    .map((each) => each?.value)
    .join());

function Order() {
  const [name, setName] = useState('');
  const [isAgreed, setAgreed] = useState(false);
  const [count, setCount] = useState(0);
  window.state = { name, isAgreed, count };
  return createElement(
    'main',
    {},
    createElement(Select, { 'aria-label': 'Port', options: ports, onChange: onChange('port') }),
    createElement(Select, {
      'aria-label': 'Tags',
      isMulti: true,
      options: ports,
      onChange: onChange('tags'),
    }),
    createElement(Async, {
      'aria-label': 'Late',
      loadOptions: (typed) =>
        new Promise((resolve) =>
          setTimeout(() => resolve(ports.filter(({ label }) => label.includes(typed))), 500),
        ),
      onChange: onChange('late'),
    }),
    createElement(Creatable, { 'aria-label': 'New', options: ports, onChange: onChange('new') }),
    createElement('input', {
      'aria-label': 'Name',
      value: name,
      onChange: ({ target }) => setName(target.value.toUpperCase()),
    }),
    createElement('input', {
      'aria-label': 'Agreed',
      type: 'checkbox',
      checked: isAgreed,
      onChange: ({ target }) => setAgreed(target.checked),
    }),
    createElement('button', { onClick: () => setCount(count + 1) }, `Count ${count}`),
    createElement(
      'select',
      {
        'aria-label': 'Plan',
        defaultValue: 'free',
        onChange: ({ target }) => (window.chosen.plan = target.value),
      },
      createElement('option', { value: 'free' }, 'Free'),
      createElement('option', { value: 'pro' }, 'Pro'),
    ),
  );
}
createRoot(document.body.appendChild(document.createElement('div'))).render(createElement(Order));
