import { registerRichText } from '@lexical/rich-text';
import { Editor } from '@tiptap/core';
import { StarterKit } from '@tiptap/starter-kit';
import { basicSetup, EditorView } from 'codemirror';
import { $getRoot, createEditor } from 'lexical';
import Quill from 'quill';
import 'quill/dist/quill.snow.css';

document.body.insertAdjacentHTML(
  'beforeend',
  `<h1>Editors</h1><div id="quill"></div>
  <div id="lexical" contenteditable role="textbox" aria-label="Lexical" style="border: 1px solid; min-height: 40px"></div>
  <div id="tiptap" style="border: 1px solid"></div><div id="codemirror"></div>
  <button id="bold">Bold in TipTap</button>`,
);
const quill = new Quill('#quill', { theme: 'snow' });
quill.root.setAttribute('aria-label', 'Quill');
quill.root.setAttribute('role', 'textbox');
const lexical = createEditor({ namespace: 'zoo', onError: console.error });
lexical.setRootElement(document.getElementById('lexical'));
registerRichText(lexical);
const tiptap = new Editor({
  element: document.getElementById('tiptap'),
  extensions: [StarterKit],
  content: '<p>Old</p>',
  editorProps: { attributes: { role: 'textbox', 'aria-label': 'TipTap' } },
});
document
  .getElementById('bold')
  .addEventListener('click', () => tiptap.chain().focus().selectAll().toggleBold().run());
const codemirror = new EditorView({
  doc: 'let a = 1;',
  extensions: [basicSetup, EditorView.contentAttributes.of({ 'aria-label': 'CodeMirror' })],
  parent: document.getElementById('codemirror'),
});
/** What each editor itself holds, whatever the page shows. */
window.held = {
  quill: () => quill.getText().trimEnd(),
  lexical: () => lexical.getEditorState().read(() => $getRoot().getTextContent()),
  tiptap: () => tiptap.getText({ blockSeparator: '\n' }),
  tiptapHtml: () => tiptap.getHTML(),
  codemirror: () => codemirror.state.doc.toString(),
};
