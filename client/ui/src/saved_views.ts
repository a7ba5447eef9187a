// Views with a name: addresses of this page, kept by the browser for this port.

export interface SavedView {
  name: string;
  /** The part of the address after and with #. */
  address: string;
}

const KEY = "views";

export function savedViews(): SavedView[] {
  return JSON.parse(localStorage.getItem(KEY) ?? "[]");
}

/** Keeps an address under a name, in place of an earlier one of that name. */
export function keepView(name: string, address: string): SavedView[] {
  return store([...savedViews().filter((view) => view.name !== name), { name, address }]);
}

export function dropView(name: string): SavedView[] {
  return store(savedViews().filter((view) => view.name !== name));
}

function store(views: SavedView[]): SavedView[] {
  localStorage.setItem(KEY, JSON.stringify(views));
  return views;
}
