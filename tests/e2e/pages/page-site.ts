import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pdf } from '../../files/made.ts';
import type { Portside } from '../support/browser.ts';
import { actionPages } from './action-pages.ts';

/** Pages as users meet them, on two origins: `127.0.0.1` and `localhost`. */
export type Site = { url: string; other: string; close: () => Promise<void> };

/** The address of the tab in front, as the browser has it; playwright has each page believe that it is that one. */
export const inFront = async ({ command }: Pick<Portside, 'command'>): Promise<string | undefined> =>
  (await command('listTabs')).find(({ active }) => active)?.url;

const document = (title: string, body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body>${body}</body></html>`;

const sentence = 'The lighthouse keeper wrote down the weather, the ships and the birds of every single day.';
const paragraphs = (count: number): string =>
  Array.from({ length: count }, (_each, at) => `<p>${at + 1}. ${sentence} ${sentence}</p>`).join('');

const article = document(
  'The keeper’s log',
  `<nav><ul><li><a href="/">Home</a></li><li><a href="/shop">Shop</a></li></ul></nav>
  <main><article><h1>The keeper’s log</h1><p class="byline">By Ada Stone</p>${paragraphs(6)}
  <h2>Ships</h2><p>Read <a href="/list">the list</a> of <em>all</em> ships.</p><ul><li>Brig</li><li>Sloop</li></ul>
  <table><tr><th>Day</th><th>Ships</th></tr><tr><td>Monday</td><td>3</td></tr></table>
  <pre><code>const ships = 3;</code></pre>${paragraphs(6)}</article></main>
  <aside class="sidebar"><h3>Subscribe now</h3><a href="/a">One</a> <a href="/b">Two</a></aside><footer>All rights</footer>`,
);

const thirty = (name: string, style: (row: number) => string): string =>
  Array.from({ length: 30 }, (_, row) => `<p style="${style(row)}">seen-${name}${row}</p>`).join('');

/** All of it can be seen by a user who scrolls, though it lies far away in what scrolls or has the colour of the page. */
export const shown = document(
  'Shown',
  `<main><h1>What is seen</h1>
  <div style="height:150px;overflow:auto">${thirty('message', () => 'position:relative;height:80px')}</div>
  <div style="height:150px;overflow:hidden auto;position:relative">${thirty('virtual', (row) => `position:absolute;transform:translateY(${row * 90}px)`)}</div>
  <div style="display:flex;overflow:auto;width:300px">${thirty('slide', () => 'position:relative;flex:0 0 200px')}</div>
  <div dir="rtl" style="display:flex;overflow:auto;width:300px">${thirty('right', () => 'position:relative;flex:0 0 200px')}</div>
  <div style="overflow:hidden;width:300px"><div style="display:flex;transform:translate3d(-600px,0,0)">${thirty('track', () => 'flex:0 0 100%')}</div></div>
  <div style="height:150px;overflow:auto;display:flex;flex-direction:column-reverse">${thirty('upward', () => 'position:relative;flex:none;height:80px')}</div>
  <div style="width:300px;overflow:auto;display:flex;flex-direction:row-reverse">${thirty('leftward', () => 'position:relative;flex:0 0 200px')}</div>
  <div style="width:300px;height:90px;overflow:auto;writing-mode:vertical-rl">${thirty('vertical', () => 'position:relative;width:80px')}</div>
  <div style="height:150px;overflow:auto;transform:scaleY(-1)">${thirty('inverted', () => 'transform:scaleY(-1);height:80px')}</div>
  <div style="height:150px;overflow:auto;zoom:1.5">${thirty('zoomed', () => 'position:relative;height:80px')}</div>
  <div style="height:60px;margin:60px 0;overflow:auto;transform:scale(2)">${thirty('doubled', () => 'position:relative;height:80px')}</div>
  <div style="height:150px;overflow:auto"><div style="position:sticky;top:0;height:150px;background:#123"></div><div style="position:relative;margin-top:-150px;color:white">${thirty('standing', () => 'height:80px')}</div></div>
  <div style="position:relative;height:150px"><div style="position:absolute;inset:0;background:#123"></div><div style="position:relative;height:100%;overflow:auto;color:white">${thirty('passing', () => 'height:80px')}</div></div>
  <p style="background:linear-gradient(red, blue);background-clip:text;-webkit-text-fill-color:transparent">seen-gradient <span>seen-letters</span></p>
  <div style="display:grid"><div style="grid-area:1/1;background:#123;height:60px"></div><p style="grid-area:1/1;color:white">seen-hero</p></div>
  <section style="position:relative;z-index:0"><div style="position:absolute;inset:0;z-index:-1;background:#123"></div><p style="color:white">seen-layer</p></section>
  <section class="before"><p style="color:white">seen-before</p></section>
  <table><colgroup><col style="background:#123"></colgroup><tr><td style="color:white">seen-column</td></tr></table>
  <p style="color:white;text-shadow:0 0 3px black">seen-shadow</p><p style="color:white;-webkit-text-stroke:1px black">seen-stroke</p>
  <p style="filter:invert(1);color:white"><b>seen-inverted</b></p>
  <p style="color:white;box-shadow:inset 0 0 0 99px #123">seen-inset</p>
  <span style="overflow:hidden">seen-inline</span>
  <div style="position:relative"><img alt="" style="width:300px;height:60px;background:#123"><p style="position:absolute;top:0;color:white">seen-over</p></div>
  <p style="position:fixed;bottom:0;color:white">seen-fixed</p>
  <p style="background:oklch(0.3 0.1 260);color:oklch(1 0 0)">seen-oklch</p><p style="color:lab(40 0 0)">seen-lab</p>
  <table class="rows"><tr><td>seen-odd</td></tr><tr><td>seen-even <b>seen-in_even</b></td></tr></table>
  <b class="caption"></b><div style="position:relative;height:60px;background:#123"></div><b class="caption" style="top:-40px">seen-caption</b>
  <div style="background:linear-gradient(#123, #012)"><p style="color:white;background:linear-gradient(white, white) no-repeat 0 100%/100% 2px">seen-underlined</p></div>
  <p style="contain:content">seen-contained</p>
  <div style="opacity:.5"><p style="opacity:.5">seen-halves</p></div><p style="filter:blur(2px)">seen-blurred</p>
  <div style="margin:0 -600px;padding:0 600px"><p>seen-bleeding</p></div><p style="margin-left:-600px;text-indent:600px">seen-pushed</p>
  <p style="height:12px;line-height:12px;overflow:hidden">seen-narrow</p>
  <p style="clip-path:polygon(0 0, calc(100% - 9px) 0, calc(100% - 9px) 100%, 0 100%)">seen-polygon</p>
  <p style="clip-path:inset(0 -100vmax)">seen-wide</p><p style="clip-path:inset(2px 5px)">seen-inset2</p><p style="clip-path:circle(40px at 20px 9px)">seen-disc</p>
  <p>Costs <span aria-hidden="true">seen-price</span></p>
  <div style="position:relative;width:30000px;height:40px"><p style="position:absolute;left:26000px">seen-board</p></div></main>
  <dialog style="background:none;color:white">seen-dialog</dialog><script>document.querySelector('dialog').showModal()</script>`,
  `<style>.before { position: relative; isolation: isolate; background: white }
    .before::before { content: ''; position: absolute; inset: 0; z-index: -1; background: #123 }
    .rows tr:nth-child(even) { background: #123; color: white } .caption { position: relative; color: white }</style>`,
);

/** White letters, over many screens, on a ground that stays while they scroll. */
export const overFixed = document(
  'Over what stays',
  `<div class="ground"><canvas></canvas></div><main><h1>seen-title</h1>${thirty('post', () => 'height:200px')}</main><footer>seen-foot</footer>`,
  `<style>body { color: white } .ground { position: fixed; inset: 0; z-index: -1 }
    canvas { width: 100%; height: 100%; background: #123 } div:nth-child(odd) { padding: 2px }</style>`,
);

/** From right to left, in a body that scrolls by itself. */
export const leftward = document(
  'Leftward',
  `<main style="width:3000px">${thirty('post', () => 'position:relative;height:200px')}
  <p style="position:relative;right:2500px">seen-leftmost</p></main>`,
  `<style>html { direction: rtl } html, body { height: 100%; margin: 0; overflow: auto }</style>`,
);

/** Elements of the page's own making: what they show stands in trees that scripts of the page can't get, and in slots. */
const components = document(
  'Components',
  `<x-closed>
    <template shadowrootmode="closed"><h2>seen-closed <slot name="a"></slot></h2><button>seen-inside</button></template>
    <b slot="a">seen-slotted</b>secret-unslotted
  </x-closed>
  <x-button><template shadowrootmode="open"><button><slot>secret-fallback</slot></button></template>seen-label</x-button>
  <label>Code <input style="-webkit-text-security: disc" value="secret-code"></label>
  <label>White <input style="color: white; background: white" value="secret-white"></label>`,
);

/** Letters of their ground’s colour, which a bar and a banner that stay above them make no more seen. */
export const underFixed = document(
  'Under what stays',
  `<header style="position:sticky;top:0;background:#123;color:white">Log</header>
  <main><h1>seen-title</h1><p>seen-words</p><p style="color:white">secret-white</p><div><p>seen-near <b style="color:#fefefe">secret-near</b></p></div>
  <ul><li style="color:white">secret-entry</li><li>seen-entry</li></ul>
  <details open><summary>seen-summary</summary>seen-open</details>
  ${paragraphs(60)}</main>
  <div style="position:fixed;bottom:0;left:0;right:0;z-index:9"><p style="background:#123;color:white">Cookies?</p></div>`,
);

/** Each `secret` is what only the user may type, or is shown as dots. */
const masked = document(
  'Masked',
  `<main>
  <p>seen-card <span id="card" style="-webkit-text-security: disc">secret-card <b>secret-inner</b></span></p>
  <table><tr><td style="-webkit-text-security: square">secret-cell</td><td style="-webkit-text-security: circle">secret-circle<i style="-webkit-text-security: none">seen-last</i></td></tr></table>
  <div contenteditable role="textbox" id="otp-code" aria-label="Your code"><p id="digits">secret-483920</p></div>
  <div role="textbox" tabindex="0" id="pin">secret-pin</div>
  <div contenteditable aria-label="Note">seen-note</div>
  <b id="number">Numéro de carte bancaire</b> <input aria-labelledby="number" value="secret-4111"> <input title="Card number (16 digits)" value="secret-5555">
  <div contenteditable role="textbox" aria-labelledby="number">secret-4222</div> <label>Passwort <textarea>secret-word</textarea></label>
</main>`,
);

/** Each `secret` is what a field held first, or what only the user may type. */
const textAreas = document(
  'Text areas',
  `<main>
  <table><tr><td>first <textarea id="notes">secret-first</textarea></td></tr><tr><td>second <textarea name="passphrase">secret-phrase</textarea></td></tr></table>
  <p hidden id="by">seen-hidden-label <textarea>secret-held</textarea></p><button aria-labelledby="by"></button>
  <span id="dots" style="-webkit-text-security: disc">secret-dots</span><button aria-labelledby="dots">Go</button>
  <div onclick="1"><textarea name="recovery_code">secret-pressed</textarea></div>
  <h2>seen-heading <textarea name="otp_code">secret-heading</textarea></h2>
  <textarea id="self" name="user_otp" aria-labelledby="label self">secret-self</textarea><span id="label">Sent</span>
  <div role="group" aria-labelledby="self">seen-group</div>
  <fieldset><legend>seen-legend <textarea name="otp3">secret-legend</textarea></legend></fieldset>
  <ul role="listbox"><li role="option"><textarea name="otp5">secret-option</textarea></li></ul>
  <label>Verification code <input value="secret-verification"></label> <input aria-label="Password *" value="secret-labelled">
  <div role="group" aria-label="Enter the one-time code"><input aria-label="Digit 1" maxlength="1" value="7"></div>
  <label>Cvc <input list="list" name="cvc" value="secret-cvc"></label><datalist id="list"><option value="secret-list"></datalist>
  <script>document.getElementById('notes').value = 'seen-typed'</script>
</main>`,
);

/** Each `secret` is in the page and hidden in one of the usual ways. */
export const hidden = document(
  'Hidden',
  `<main><h1>What is seen</h1><p>Plain words.</p>
  <p style="display:none">secret-none</p>
  <p style="visibility:hidden">secret-visibility <b style="visibility:visible">shown-again</b></p>
  <p style="opacity:0">secret-opacity</p>
  <p style="position:absolute;left:-9999px">secret-left</p>
  <p style="text-indent:-9999px">secret-indent</p>
  <p style="font-size:1px">secret-tiny</p>
  <p style="color:white">secret-white</p>
  <p style="background:#222;color:#222">secret-ground</p>
  <p style="color:transparent">secret-transparent</p>
  <p style="height:0;overflow:hidden">secret-closed</p>
  <p>seen-plain</p>
  <p style="content-visibility:hidden">secret-skipped</p>
  <p style="content-visibility:hidden"><b>secret-within</b></p>
  <p style="transform:translateX(-9999px)">secret-moved</p>
  <p style="transform:scale(0)">secret-scaled</p>
  <p style="margin-left:-9999px;width:200px">secret-margin</p>
  <p style="-webkit-text-fill-color:transparent">secret-fill</p>
  <ul><li>seen-one</li><li>secret-two</li><li>seen-three</li><li><a href="/x">seen-link</a></li></ul>
  <div><p>seen-first <i>seen-i</i> <i>secret-i</i></p></div>
  <x-bare>secret-slotless</x-bare>
  <x-open><template shadowrootmode="open"><style>.c { display: none }</style><b>seen-b</b><b class="c">secret-b</b></template></x-open>
  <p hidden>secret-attribute</p>
  <p style="translate:-9999px">secret-translate</p><p style="scale:0">secret-scale</p><p style="rotate:y 90deg">secret-turn</p>
  <p style="transform:rotateY(90deg)">secret-edge</p><p style="transform:scale(0.01)">secret-shrunk</p>
  <p style="opacity:0.02">secret-faint</p><p style="color:#fdfdfd">secret-near</p><p style="color:rgba(0,0,0,.02)">secret-alpha</p>
  <p style="max-height:2px;overflow:hidden">secret-low</p>
  <p style="position:relative;color:#fff">secret-relative</p><p style="position:absolute;z-index:-1;color:#fff">secret-below</p>
  <p style="background:rgb(255 255 255 / .99);color:#fff">secret-film</p>
  <p style="height:3px;overflow:hidden">secret-three</p>
  <div style="height:0;overflow:hidden"><p>secret-shut<i>secret-shut_in</i></p><ul><li><a href="/shut"><b>secret-shut_link</b></a></li></ul><div style="position:relative"><b style="position:absolute">secret-held</b></div></div>
  <p style="opacity:0.4">seen-pale</p><p style="color:#ccc">seen-grey</p><p style="transform:rotate(180deg)">seen-turned</p>
  <p style="mask-image:linear-gradient(black, transparent)">seen-masked</p><p style="clip-path:circle(90%)">seen-round</p>
  <details><summary>More</summary>secret-details</details>
  <h2>seen-heading <span style="font-size:0">secret-heading</span></h2><a href="/z" style="opacity:.01">secret-link</a>
  <p>Zero​width and tags\u{E0073}\u{E0065}\u{E0063} end; family 👨‍👩‍👧 stays.</p>
  <p data-off="0">seen-attribute</p><p data-off="1">secret-by_attribute</p><p id="on">seen-id</p><p id="off">secret-by_id</p>
  <section style="background:#222"><p style="color:white">white-on-dark</p></section></main>`,
  `<style>
    [data-off="1"] { font-size: 0 }
    #off { opacity: 0 }
    li:nth-child(2) { display: none }
    i + i { visibility: hidden }
  </style><script>
    customElements.define('x-bare', class extends HTMLElement {
      constructor() {
        super();
        this.attachShadow({ mode: 'open' }).innerHTML = '<p>seen-shadow</p>';
      }
    });
  </script>`,
);

const form = document(
  'Sign up',
  `<form><label>Name <input name="firstChild" value="Ada"></label>
  <label>Password <input type="password" value="hunter2"></label>
  <label>Card <input autocomplete="cc-number" value="4111111111111111"></label>
  <label><input type="checkbox" checked> I agree</label>
  <label>Plan <select><option>Free</option><option selected>Pro</option></select></label>
  <label>About <textarea>I keep a lighthouse.</textarea></label>
  <div role="textbox" aria-label="Paper" contenteditable>I ke<b>ep</b> a lighthouse.</div>
  <img name="body" alt="A lamp"><button>Send</button></form>`,
);

/** What it shows comes by script, later, and its address changes with it. */
const app = document(
  'App',
  `<div id="root">Loading</div><button id="next">Next</button><script>
    const show = (name) => { document.title = name; document.getElementById('root').textContent = 'This is ' + name; };
    setTimeout(() => show('view one'), 50);
    document.getElementById('next').onclick = () => { history.pushState(null, '', '/app/two'); show('view two'); };
  </script>`,
);

/** As pages were written: in an encoding that only they name, with styles everywhere. */
const old = (): Buffer =>
  Buffer.from(
    `<meta charset="windows-1252"><p>Caf\u00e9, write style = bold</p><p class="a"style="display:none">secret-none</p>
    <p style="FONT-SIZE : 0px">secret-size</p><p style="opacity:0.5;display:block">shown <span aria-hidden="true">49 kr</span></p>
    ${[
      'position: absolute; left: -9999px',
      'text-indent: -9999px',
      'font-size: 1px',
      'height: 0; overflow: hidden',
      'clip-path: inset(50%)',
      'transform: scale(0)',
    ]
      .map((style) => `<p style="${style}">secret</p>`)
      .join('')}
    ${['left: -9999px', 'height: 0', 'height: 0; overflow: hidden; padding-top: 50%', 'font-size: 12px', 'transform: scale(0.5)'].map((style) => `<p style="${style}">seen</p>`).join('')}`,
    'latin1',
  );

const frames = (other: string): string =>
  document(
    'Frames',
    `<h1>Outer</h1><iframe srcdoc="<p>words of the inner frame</p><details><summary>more</summary>closed words</details><iframe src='/inner-most' width='200' height='90'></iframe>" width="300" height="300"></iframe>
    <iframe src="/inner" width="300" height="100"></iframe>
    <iframe src="${other}/inner-of-other" width="300" height="100"></iframe>
    <iframe srcdoc="<p>words of a frame in a sandbox</p>" sandbox width="300" height="100"></iframe>
    <iframe src="${other}/secret-frame" width="300" height="100" style="opacity:0"></iframe>
    ${['opacity:0', 'visibility:hidden', 'position:absolute;left:-9999px'].map((style) => `<iframe src="${other}/hidden" width="300" height="100" style="${style}"></iframe><iframe src="/hidden" width="300" height="100" style="${style}"></iframe>`).join('')}
    <div style="height:0;overflow:hidden"><iframe src="${other}/hidden" width="300" height="100"></iframe></div>
    <object data="${other}/hidden" width="300" height="100" style="opacity:0"></object><object data="/hidden" width="300" height="100" style="opacity:0"></object>
    <embed src="${other}/hidden" type="text/html" width="300" height="100" style="opacity:0">
    <x-card><span slot="note">slotted words</span>unslotted words</x-card><script>
      customElements.define('x-card', class extends HTMLElement {
        constructor() {
          super();
          this.attachShadow({ mode: 'open' }).innerHTML = '<p>words of the shadow <slot name="note"></slot></p>';
        }
      });
    </script>`,
  );

const frameset = (other: string): string =>
  `<!doctype html><title>Frameset</title><frameset cols="50%,50%"><frame src="/inner"><frame src="${other}/inner-of-other"></frameset>`;

const rows = (count: number, note: number): string =>
  Array.from(
    { length: count },
    (_each, at) => `<tr><td>${at}</td><td>Ship ${at}</td><td>${'x'.repeat(note)}</td></tr>`,
  ).join('');
/** @param note characters of each row's note: a browser takes long for many rows */
const table = (count: number, note = 60): string =>
  document(
    'Ships',
    `<h1>Ships</h1><table style="table-layout:fixed;width:100%"><tr><th>No</th><th>Ship</th><th>Note</th></tr>${rows(count, note)}</table>`,
  );

const grid = document(
  'Grid',
  `<div role="grid" aria-rowcount="10000"><div role="row"><span role="gridcell">row one</span></div>
  <div role="row"><span role="gridcell">row two</span></div></div>
  <table><tr><td>first<span style="font-size:0">secret-small</span></td></tr><tr style="display:none"><td>secret-row</td></tr>
  <tr><td>third<span style="position:absolute;left:-9999px">secret-far</span><b style="opacity:0">secret-faint</b></td></tr></table>
  <table><tr><td><table><caption>inner caption</caption><tr><td>inner</td></tr></table></td></tr></table>
  <table style="position:absolute;left:-9999px"><tr><td>secret-table</td></tr></table>`,
);

/** Its scripts lie about the document and never rest. */
const hostile = document(
  'Hostile',
  `<form id="clobber"><input name="firstChild"><input name="nodeType"><input name="attributes"></form>
  <p>honest words</p><div id="moving"></div><i id="portsidePage"></i><i id="portsideRefs"></i><i id="portsideFields"></i><script>
    const lie = { get() { throw new Error('no'); }, configurable: true };
    for (const name of ['firstChild', 'nextSibling', 'textContent', 'nodeType']) Object.defineProperty(Node.prototype, name, lie);
    Object.defineProperty(Document.prototype, 'body', lie);
    Element.prototype.getAttribute = Element.prototype.checkVisibility = () => { throw new Error('no'); };
    const no = () => { throw new Error('no'); };
    window.getComputedStyle = no;
    for (const { prototype } of [Array, String, NodeList, Map, Set, RegExp, Range, Selection, Promise])
      for (const name of Object.getOwnPropertyNames(prototype))
        if (name !== 'constructor' && name !== 'length') Reflect.defineProperty(prototype, name, { value: no, configurable: true });
    JSON.stringify = JSON.parse = no;
    const moving = document.getElementById('moving');
    const mutate = () => { moving.append('x'); if (moving.childNodes.length > 50) moving.replaceChildren(); };
    setInterval(mutate, 0);
  </script>`,
);

/** Never lets go of its thread; unlike an endless loop it leaves the processor to others. */
const stuck = document(
  'Stuck',
  `<p>words</p><script>
    function hang() {
      const request = new XMLHttpRequest();
      request.open('GET', '/never', false);
      request.send();
    }
  </script><button onclick="hang()">Hang</button>`,
);

/** Twenty megabytes of text. */
const huge = (): string =>
  document('Huge', `<h1>Huge</h1>${`<p>${sentence.repeat(1_000)}</p>`.repeat(220)}<p>the very end</p>`);

/** Parts by their roles, and links in drawings. */
const landmarks = document(
  'Landmarks',
  `<header>Top</header><h2 id="tides">Tides</h2>
  <section aria-labelledby="tides">High <article><header>Of it</header><footer>Foot</footer>Water</article></section>
  <div role="frob button" tabindex="0">Listed</div><div role="frob">Unlisted</div>
  <table><tr><th scope="row">Leith</th><td>12</td></tr></table>
  <svg width="90" height="30"><a href="/article"><title>Chart</title><rect width="30" height="30" /></a>
  <g role="button" tabindex="0" aria-label="Zoom"><rect x="40" width="30" height="30" /></g></svg>
  <img usemap="#ports" width="80" height="40" alt="Ports"
    src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='80' height='40'/%3E">
  <map name="ports"><area shape="rect" coords="40,0,80,40" href="/form" alt="Leith harbour"><area nohref alt="Sea"></map>`,
);
const long = document(
  'Long',
  `<main>${Array.from({ length: 40 }, (_each, at) => `<h2>Chapter ${at + 1}</h2>${paragraphs(12)}`).join('')}</main>`,
);

/** Serves them, and whatever else is asked for as an empty page. */
export async function startSite(): Promise<Site> {
  const pages = (other: string): Record<string, string> => ({
    ...actionPages(other),
    '/article': article,
    '/hidden': hidden,
    '/masked': masked,
    '/text-areas': textAreas,
    '/shown': shown,
    '/over-fixed': overFixed,
    '/leftward': leftward,
    '/under-fixed': underFixed,
    '/frameset': frameset(other),
    '/components': components,
    '/form': form,
    '/focusing': document(
      'Focusing',
      "<textarea aria-label='Taken'></textarea><script>onmessage = () => document.querySelector('textarea').focus()</script>",
    ),
    '/app': app,
    '/frames': frames(other),
    '/secret-frame': document('Secret', '<h1>secret-frame</h1><table><tr><td>secret-cell</td></tr></table>'),
    '/inner': document('Inner', '<p>words of a page in a frame</p>'),
    '/inner-most': document('Inmost', '<p>words of a frame in a frame</p>'),
    '/inner-of-other': document(
      'Inner of another',
      '<p>words of another origin</p><h2>heading of another</h2><iframe srcdoc="<p>words of another in a sandbox</p>" sandbox width="200" height="90"></iframe>',
    ),
    '/table': table(10_000, 500),
    '/rows': table(8_000),
    '/grid': grid,
    '/hostile': hostile,
    '/stuck': stuck,
    '/long': long,
    '/landmarks': landmarks,
    '/entries': document(
      'Entries',
      `<ol>${Array.from({ length: 2_500 }, (_each, at) => `<li><a href="/${at}">Entry ${at + 1} of the log</a></li>`).join('')}</ol>`,
    ),
  });
  const server: Server = createServer((request, response) => {
    const path = request.url ?? '/';
    if (path === '/log.pdf') {
      response.setHeader('content-type', 'application/pdf');
      return response.end(pdf([['Fair weather all day'], ['Two sails at noon']]));
    }
    if (path === '/never') return undefined;
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (path === '/echo') return response.end(`<p>Cookies: ${request.headers.cookie ?? 'none'}</p>`);
    if (path === '/to-other') return response.writeHead(302, { location: `${other()}/article` }).end();
    if (path === '/save')
      return response.setHeader('content-disposition', 'attachment; filename="log.txt"').end('saved');
    if (path === '/old') return response.setHeader('content-type', 'text/html').end(old());
    if (path === '/broken') return response.end(`<p>before</p>${'<style '.repeat(400_000)}`);
    if (path === '/missing') return response.writeHead(404).end();
    if (path === '/nothing') return response.writeHead(204).end();
    // A policy that lets nothing in but its own: what Portside injects does not fall under it.
    if (path === '/act-sandboxed') response.setHeader('content-security-policy', 'sandbox allow-scripts');
    if (path === '/article')
      response.setHeader('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'");
    if (path === '/huge') return response.end(huge());
    return response.end(pages(other())[path] ?? document('', ''));
  }).listen(0);
  const port = (): number => (server.address() as AddressInfo).port;
  const other = (): string => `http://localhost:${port()}`;
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${port()}`,
    other: other(),
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
