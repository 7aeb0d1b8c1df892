/** The pages of a shop: what is done there, its servers are told. */

const document = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body>${body}</body></html>`;

export const home = document(
  'Harbour shop',
  `<h1>Harbour shop</h1>
  <form role="search" action="/search">
    <label>Search the shop <input type="search" name="q"></label>
    <button>Search</button>
  </form>`,
);

/** Filters are applied as they are changed. */
export const results = document(
  'Search',
  `<h1>Results</h1>
  <label><input type="checkbox" id="stock"> In stock only</label>
  <label>Sort by <select id="sort"><option value="name">Name</option><option value="price">Price</option></select></label>
  <ul aria-label="Products" id="list"></ul>
  <script>
    const query = new URLSearchParams(location.search).get('q').toLowerCase();
    const all = [
      { id: 'brass-lantern', name: 'Brass lantern', price: 90, inStock: true },
      { id: 'deck-lantern', name: 'Deck lantern', price: 20, inStock: false },
      { id: 'deck-brush', name: 'Deck brush', price: 5, inStock: true },
      { id: 'storm-lantern', name: 'Storm lantern', price: 40, inStock: true },
    ];
    const $ = (id) => document.getElementById(id);
    function draw() {
      const shown = all
        .filter(({ name, inStock }) => name.toLowerCase().includes(query) && (inStock || !$('stock').checked))
        .sort((a, b) => ($('sort').value === 'price' ? a.price - b.price : a.name < b.name ? -1 : 1));
      $('list').innerHTML = shown
        .map(({ id, name, price }) => '<li><a href="/products/' + id + '">' + name + '</a> ' + price + ' €</li>')
        .join('');
      void fetch('/shown', { method: 'POST', body: shown.map(({ name }) => name).join(', ') });
    }
    $('stock').onchange = $('sort').onchange = draw;
    draw();
  </script>`,
);

export const product = document(
  'Storm lantern',
  `<h1>Storm lantern</h1><p>40 €. Burns in any wind.</p>
  <button id="add">Add to basket</button> <p role="status" id="said"></p> <a href="/checkout">Checkout</a>
  <script>
    document.getElementById('add').onclick = async () => {
      await fetch('/basket', { method: 'POST', body: 'storm-lantern' });
      document.getElementById('said').textContent = 'In your basket: 1';
    };
  </script>`,
);

/** The order is sent once the frame of another site has taken the payment. */
export const checkout = (payments: string): string =>
  document(
    'Checkout',
    `<h1>Checkout</h1>
    <iframe src="${payments}/form" title="Payment" width="320" height="120"></iframe>
    <h2>Wrapping</h2>
    <ul aria-label="Plain" style="min-height:30px"><li draggable="true" id="item">Storm lantern</li></ul>
    <ul aria-label="Gift paper" id="gifts" style="min-height:30px;background:#eee"></ul>
    <form method="post" action="/orders" enctype="multipart/form-data" id="order">
      <label>Greeting card <input type="file" name="greeting"></label>
      <input type="hidden" name="gift"><input type="hidden" name="payment">
      <button>Place order</button>
    </form>
    <script>
      const $ = (id) => document.getElementById(id);
      $('item').ondragstart = ({ dataTransfer }) => dataTransfer.setData('text/plain', 'item');
      $('gifts').ondragover = (event) => event.preventDefault();
      $('gifts').ondrop = ({ dataTransfer }) => {
        const item = $(dataTransfer.getData('text/plain'));
        $('gifts').append(item);
        $('order').elements.gift.value = item.textContent;
      };
      $('order').onsubmit = (event) => {
        event.preventDefault();
        frames[0].postMessage('pay', ${JSON.stringify(payments)});
      };
      addEventListener('message', ({ data, origin }) => {
        if (origin !== ${JSON.stringify(payments)}) return;
        $('order').elements.payment.value = data;
        $('order').submit();
      });
    </script>`,
  );

export const payment = (shop: string): string =>
  document(
    'Payment',
    `<form id="form">
      <label>Full name <input name="name" autocomplete="name"></label>
      <label>Street <input name="street"></label>
      <label>Country <select name="country"><option>Iceland</option><option>Norway</option></select></label>
      <label>Card number <input name="card" inputmode="numeric" autocomplete="cc-number"></label>
    </form>
    <script>
      addEventListener('message', async ({ origin }) => {
        if (origin !== ${JSON.stringify(shop)}) return;
        const body = new URLSearchParams(new FormData(document.getElementById('form')));
        const response = await fetch('/pay', { method: 'POST', body });
        parent.postMessage(await response.text(), origin);
      });
    </script>`,
  );

export const ordered = document('Thank you', '<h1>Thank you</h1><p>Your order has the number 1812.</p>');
