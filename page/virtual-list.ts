import { element } from './element.ts'

const ROW = 44
/** Rows made beyond both ends of the visible part. */
const BEYOND = 8

/** The content of a row. */
export interface ListRow {
  /** The text for screen readers. */
  readonly label: string
  readonly className: string
  readonly children: readonly Node[]
}

/** A list of entries of which one can be chosen. Of thousands of entries, only the visible rows are made. */
export class VirtualList<Entry> {
  readonly #box: HTMLElement
  readonly #rows: HTMLElement
  readonly #rowOf: (entry: Entry) => ListRow
  readonly #choose: (entry: Entry) => void
  #shown: readonly Entry[] = []
  #selected = -1

  /**
   * @param box     the element that scrolls; its id is the prefix of the ids of rows
   * @param rowOf   makes the row of an entry
   * @param choose  called with the entry that is selected
   */
  constructor(box: HTMLElement, rowOf: (entry: Entry) => ListRow, choose: (entry: Entry) => void) {
    this.#box = box
    this.#rowOf = rowOf
    this.#choose = choose
    this.#rows = element('div', { class: 'rows' })
    box.append(this.#rows)
    box.addEventListener('scroll', () => this.#draw())
    new ResizeObserver(() => this.#draw()).observe(box)
    box.addEventListener('click', ({ target }) => this.#clicked(target))
    box.addEventListener('keydown', (event) => this.#pressed(event))
  }

  /** Shows these entries, from the first on. None is selected. */
  show(entries: readonly Entry[]): void {
    this.#shown = entries
    this.#selected = -1
    this.#rows.style.height = `${entries.length * ROW}px`
    this.#box.scrollTop = 0
    this.#draw()
  }

  /** Selects the entry at an index, or the nearest one that exists, and scrolls to the entry. */
  select(index: number): void {
    const at = Math.max(0, Math.min(index, this.#shown.length - 1))
    const entry = this.#shown[at]
    if (entry === undefined) return
    this.#selected = at
    const { scrollTop, clientHeight } = this.#box
    if (at * ROW < scrollTop) this.#box.scrollTop = at * ROW
    if ((at + 1) * ROW > scrollTop + clientHeight) this.#box.scrollTop = (at + 1) * ROW - clientHeight
    this.#draw()
    this.#choose(entry)
  }

  /** Moves the selection down, or up if `by` is negative. */
  move(by: number): void {
    this.select(this.#selected < 0 ? 0 : this.#selected + by)
  }

  #draw(): void {
    const { scrollTop, clientHeight } = this.#box
    const from = Math.max(0, Math.floor(scrollTop / ROW) - BEYOND)
    const to = Math.min(this.#shown.length, Math.ceil((scrollTop + clientHeight) / ROW) + BEYOND)
    this.#rows.replaceChildren(...this.#shown.slice(from, to).map((entry, i) => this.#row(entry, from + i)))
    if (this.#selected < 0) this.#box.removeAttribute('aria-activedescendant')
    else this.#box.setAttribute('aria-activedescendant', this.#idOf(this.#selected))
  }

  #row(entry: Entry, index: number): HTMLElement {
    const { label, className, children } = this.#rowOf(entry)
    const attributes = {
      id: this.#idOf(index),
      role: 'option',
      class: `row ${className}`,
      'aria-selected': String(index === this.#selected),
      'aria-setsize': String(this.#shown.length),
      'aria-posinset': String(index + 1),
      'aria-label': label,
      title: label,
    }
    const row = element('div', attributes, ...children)
    row.style.top = `${index * ROW}px`
    return row
  }

  #idOf(index: number): string {
    return `${this.#box.id}-row-${index}`
  }

  #clicked(target: EventTarget | null): void {
    const row = target instanceof Element ? target.closest('[role=option]') : null
    if (row !== null) this.select(Number(row.id.slice(this.#idOf(0).length - 1)))
  }

  #pressed(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.#box.clientHeight / ROW) - 1)
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      j: 1,
      ArrowUp: -1,
      k: -1,
      PageDown: page,
      PageUp: -page,
      Home: -this.#shown.length,
      End: this.#shown.length,
    }
    const by = steps[event.key]
    if (by === undefined) return
    event.preventDefault()
    this.move(by)
  }
}
