import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkout, home, ordered, payment, product, results } from './pages.ts';

/** A shop and those who take its payments, on two origins. */
export type ShopSite = {
  url: string;
  payments: string;
  /** What their servers were asked for: the method, the address and the body's text. */
  asked: { what: string; body: string }[];
  close: () => void;
};

/** Listens on two free ports: the shop at `127.0.0.1`, the payments at `localhost`. */
export async function startShop(): Promise<ShopSite> {
  const asked: ShopSite['asked'] = [];
  const [shop, payments] = await Promise.all(
    [shopPage, paymentPage].map(async (pageOf) => {
      const server = createServer(async (request, response) => {
        const { url = '/', method = 'GET' } = request;
        asked.push({ what: `${method} ${url}`, body: await bodyOf(request) });
        const page = pageOf(new URL(url, 'http://shop').pathname, sites);
        response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
        response.end(page);
      }).listen(0);
      await once(server, 'listening');
      return { server, port: (server.address() as AddressInfo).port };
    }),
  );
  const sites = { shop: `http://127.0.0.1:${shop?.port}`, payments: `http://localhost:${payments?.port}` };
  return {
    url: sites.shop,
    payments: sites.payments,
    asked,
    close() {
      for (const each of [shop, payments]) {
        each?.server.closeAllConnections();
        each?.server.close();
      }
    },
  };
}

type Sites = { shop: string; payments: string };

function shopPage(path: string, { payments }: Sites): string | undefined {
  const pages: Record<string, string> = {
    '/': home,
    '/search': results,
    '/products/storm-lantern': product,
    '/shown': '',
    '/basket': '',
    '/checkout': checkout(payments),
    '/orders': ordered,
  };
  return pages[path];
}

/** @returns of `/pay` what stands for a payment that was taken */
function paymentPage(path: string, { shop }: Sites): string | undefined {
  return { '/': '', '/form': payment(shop), '/pay': 'payment-4711' }[path];
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const piece of request.setEncoding('utf8')) body += String(piece);
  return body;
}
