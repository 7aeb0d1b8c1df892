const silent = { addListener() {}, removeListener() {} };

/** A browser that grants whatever is asked for. Import it before anything that imports `wxt/browser`. */
Object.assign(globalThis, {
  browser: {
    runtime: { id: 'gallery' },
    permissions: { request: async () => true },
    action: { onClicked: silent },
    tabs: { onActivated: silent, onUpdated: silent },
    windows: { getCurrent: async () => ({ id: 1 }), onFocusChanged: silent },
  },
});
