import * as monaco from 'monaco-editor/editor/editor.main.js';

const box = document.body.appendChild(document.createElement('div'));
box.style = 'height: 200px; width: 600px';
const editor = monaco.editor.create(box, { value: 'let a = 1;', language: 'plaintext', ariaLabel: 'Monaco' });
window.held = () => editor.getValue();
