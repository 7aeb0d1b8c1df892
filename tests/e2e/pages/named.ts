/** Elements (`data-t`) whose names are hard to tell, by https://w3c.github.io/accname/ */

const PIXEL = 'src="data:image/gif;base64,R0lGODlhAQABAAAAACw="';

export const styles = `
  .star::before { content: "Star "; } .line::before { content: "Star"; display: block; } .after::after { content: " now"; }
  .icon::before { content: "\\e900"; } .alt::before { content: "\\2605" / "Favourite "; } .silent::before { content: "Icon" / ""; }
  .attr::after { content: attr(data-x); } .two::before { content: "A" "B"; } .quoted::before { content: "say \\"hi\\" "; }
  .gone::before { content: "Gone "; display: none; } .unseen::before { content: "Gone "; visibility: hidden; }
  .clear::before { content: "Gone "; opacity: 0; } .star-only::after { content: "*"; }
  .cut { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .none { display: none; } .invisible { visibility: hidden; } .block { display: block; } .transparent { opacity: 0; }
  .away { position: absolute; left: -9999px; }`;

/** Each with its name, as Playwright has it, too. */
export const named: [html: string, name: string][] = [
  // What assistive technology is not told of.
  ['<button data-t><span aria-hidden="true">✕</span> Close</button>', 'Close'],
  ['<button data-t><i aria-hidden="true">delete</i>Remove</button>', 'Remove'],
  [
    '<button data-t><svg aria-hidden="true" width="9" height="9"><title>Gear</title></svg>Settings</button>',
    'Settings',
  ],
  ['<label>Name<span aria-hidden="true"> *</span> <input data-t></label>', 'Name'],
  [
    '<fieldset data-t><legend>Parcel<i aria-hidden="true">*</i></legend><input aria-label="in"></fieldset>',
    'Parcel',
  ],
  [
    '<div data-t role="dialog" aria-labelledby="d1"><h2 id="d1">Leave<i aria-hidden="true">x</i></h2></div>',
    'Leave',
  ],
  [
    '<button data-t>Yes<span class="none">no</span><span class="invisible">no</span><b hidden>no</b></button>',
    'Yes',
  ],
  // What parts of it are called.
  ['<button data-t><span aria-label="Shut">×</span></button>', 'Shut'],
  ['<button data-t><span role="img" aria-label="Warning">⚠</span> Alert</button>', 'Warning Alert'],
  ['<h2 data-t>Head<a href="#p" aria-label="Link to head">#</a></h2>', 'HeadLink to head'],
  [`<button data-t><img alt="Search" ${PIXEL}><span>now</span></button>`, 'Searchnow'],
  [`<a data-t href="#a"><img alt="" ${PIXEL}>Text</a>`, 'Text'],
  [`<button data-t><img title="Picture" ${PIXEL}></button>`, 'Picture'],
  ['<button data-t><i title="Delete"></i></button>', 'Delete'],
  ['<a data-t href="#b"><svg role="img" aria-label="GitHub" width="9" height="9"></svg> us</a>', 'GitHub us'],
  [
    '<button data-t><svg width="9" height="9"><title>Options</title><path d="M0 0h9v9"/></svg></button>',
    'Options',
  ],
  ['<a data-t href="#c"><span aria-labelledby="r0">x</span></a><span id="r0">Referred</span>', 'Referred'],
  // Words of styles.
  ['<button data-t class="star">it</button>', 'Star it'],
  ['<button data-t><i class="star"></i></button>', 'Star'],
  ['<button data-t class="line">it</button>', 'Star it'],
  ['<button data-t class="after">Save</button>', 'Save now'],
  ['<button data-t class="alt">this</button>', 'Favourite this'],
  ['<button data-t class="silent">Plain</button>', 'Plain'],
  ['<button data-t class="attr" data-x=" 5">Count</button>', 'Count 5'],
  ['<button data-t class="two">C</button>', 'ABC'],
  ['<button data-t class="quoted">you</button>', 'say "hi" you'],
  ['<button data-t class="gone">Kept</button>', 'Kept'],
  ['<button data-t class="unseen">Kept</button>', 'Kept'],
  // Lines.
  ['<button data-t><span class="block">Two</span><span class="block">lines</span></button>', 'Two lines'],
  ['<button data-t><b>Bo</b><i>ld</i></button>', 'Bold'],
  [
    '<button data-t><b style="display: inline-block">In</b><b style="display: inline-block">line</b></button>',
    'In line',
  ],
  ['<button data-t>a<br>b</button>', 'a b'],
  ['<a data-t href="#d"><h3>Head</h3><p>Words</p></a>', 'Head Words'],
  // Fields in labels, with what they hold.
  [
    '<input data-t id="f1" type="checkbox"><label for="f1">Flash <input value="3" aria-label="count"> times</label>',
    'Flash 3 times',
  ],
  ['<label>Flash <input data-t> <select><option>2<option selected>4</select> times</label>', 'Flash 4 times'],
  ['<label>Volume <input data-t> of <input type="range" max="10" value="7"></label>', 'Volume of 7'],
  [
    '<label>Go <input data-t> <i role="slider" aria-valuenow="3" aria-valuetext="three" tabindex="0">x</i></label>',
    'Go three',
  ],
  ['<label>Go <input data-t> <input type="button" value="Push"></label>', 'Go Push'],
  // References.
  ['<input data-t aria-labelledby="r1"><span id="r1" class="none">Hidden label</span>', 'Hidden label'],
  [
    '<input data-t aria-labelledby="r2"><span id="r2">Shown <i class="none">not</i> label</span>',
    'Shown label',
  ],
  ['<input data-t aria-labelledby="r3 r4"><i id="r3" aria-label="One"></i><i id="r4">Two</i>', 'One Two'],
  [
    '<input data-t aria-labelledby="r5"><i id="r5" aria-labelledby="r6">First</i><i id="r6">Second</i>',
    'First',
  ],
  [
    '<button data-t id="r7" aria-labelledby="r7 r8" aria-label="Delete">x</button><i id="r8">file.txt</i>',
    'Delete file.txt',
  ],
  [`<button data-t aria-labelledby="r9">z</button><img id="r9" alt="Logo" ${PIXEL}>`, 'Logo'],
  ['<button data-t aria-labelledby="nowhere">Fallback</button>', 'Fallback'],
  ['<button data-t aria-label="  ">Spaces</button>', 'Spaces'],
  // What else names.
  ['<button data-t title="Tip"></button>', 'Tip'],
  ['<button data-t title="Tip">Text</button>', 'Text'],
  ['<input data-t placeholder="Place" title="Title">', 'Title'],
  ['<label>Label <input data-t title="Title" placeholder="Place"></label>', 'Label'],
  ['<label aria-label="Said">Seen <input data-t></label>', 'Said'],
  ['<input data-t id="f2"><label for="f2">One</label><label for="f2">Two</label>', 'One Two'],
  ['<input data-t type="submit">', 'Submit'],
  [`<input data-t type="image" alt="Go" ${PIXEL}>`, 'Go'],
  ['<table data-t><caption>Cap <b>tion</b></caption><tr><td>1</td></tr></table>', 'Cap tion'],
  [`<figure data-t><img alt="Picture" ${PIXEL}><figcaption>Figure</figcaption></figure>`, 'Figure'],
  [
    '<div role="checkbox" aria-checked="true" tabindex="0" data-t><i class="block">Check</i> me</div>',
    'Check me',
  ],
  ['<i role="tab" tabindex="0" data-t>Tab <b aria-hidden="true">✓</b></i>', 'Tab'],
];

/** Those that Playwright has otherwise. */
export const namedOtherwise: [html: string, name: string, theirs: string][] = [
  // A name has the words that the user sees; those that are cut off, where there are no others.
  [
    '<a data-t href="#e">Read more<span class="cut"> about ships</span></a>',
    'Read more',
    'Read more about ships',
  ],
  ['<button data-t>Pay<span class="transparent"> nothing</span></button>', 'Pay', 'Pay nothing'],
  ['<button data-t>Pay<span class="away"> nothing</span></button>', 'Pay', 'Pay nothing'],
  ['<button data-t class="clear">Kept</button>', 'Kept', 'Gone Kept'],
  [
    '<button data-t><span class="cut">Close</span><svg width="9" height="9"></svg></button>',
    'Close',
    'Close',
  ],
  ['<button data-t><i aria-hidden="true">home</i></button>', 'home', ''],
  // Signs of a style are no words.
  ['<button data-t class="icon">Gear</button>', 'Gear', '\ue900Gear'],
  ['<label class="star-only">Name <input data-t></label>', 'Name', 'Name *'],
  // A secret stands in no name.
  ['<label>Key <input data-t> <input type="password" value="hunter2"></label>', 'Key', 'Key hunter2'],
];

/** What can be used of what assistive technology is told nothing of: what can have the focus. */
export const kept = `<div aria-hidden="true"><button>Ghost</button><div role="button">Shade</div>
  <button tabindex="-1">Shadow</button></div>`;
