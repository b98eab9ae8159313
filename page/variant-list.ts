import { element } from './element.ts'
import type { PageVariant } from './page-data.ts'

const ROW = 44
/** Rows made beyond both ends of what is seen. */
const BEYOND = 8
const SIGNS: Readonly<Record<string, string>> = { create: '+', update: '~', rename: '→', remove: '−', unchanged: '=' }

/** The list of variants: of thousands only those in sight are made. */
export class VariantList {
  readonly #box: HTMLElement
  readonly #rows: HTMLElement
  readonly #choose: (variant: PageVariant) => void
  #shown: readonly PageVariant[] = []
  #selected = -1

  /** @param choose  called with the variant that is selected */
  constructor(box: HTMLElement, choose: (variant: PageVariant) => void) {
    this.#box = box
    this.#choose = choose
    this.#rows = element('div', { class: 'rows' })
    box.append(this.#rows)
    box.addEventListener('scroll', () => this.#draw())
    new ResizeObserver(() => this.#draw()).observe(box)
    box.addEventListener('click', ({ target }) => this.#clicked(target))
    box.addEventListener('keydown', (event) => this.#pressed(event))
  }

  /** Shows these, from the first on. */
  show(variants: readonly PageVariant[]): void {
    this.#shown = variants
    this.#selected = -1
    this.#rows.style.height = `${variants.length * ROW}px`
    this.#box.scrollTop = 0
    this.#draw()
  }

  /** Selects the variant at an index, as far as there is one, and brings it into sight. */
  select(index: number): void {
    const at = Math.max(0, Math.min(index, this.#shown.length - 1))
    const variant = this.#shown[at]
    if (variant === undefined) return
    this.#selected = at
    const { scrollTop, clientHeight } = this.#box
    if (at * ROW < scrollTop) this.#box.scrollTop = at * ROW
    if ((at + 1) * ROW > scrollTop + clientHeight) this.#box.scrollTop = (at + 1) * ROW - clientHeight
    this.#draw()
    this.#choose(variant)
  }

  /** Selects further down or up. */
  move(by: number): void {
    this.select(this.#selected < 0 ? 0 : this.#selected + by)
  }

  #draw(): void {
    const { scrollTop, clientHeight } = this.#box
    const from = Math.max(0, Math.floor(scrollTop / ROW) - BEYOND)
    const to = Math.min(this.#shown.length, Math.ceil((scrollTop + clientHeight) / ROW) + BEYOND)
    this.#rows.replaceChildren(...this.#shown.slice(from, to).map((variant, i) => this.#row(variant, from + i)))
    if (this.#selected < 0) this.#box.removeAttribute('aria-activedescendant')
    else this.#box.setAttribute('aria-activedescendant', `row-${this.#selected}`)
  }

  #row({ op, name, oldName, set = 'no set' }: PageVariant, index: number): HTMLElement {
    const title = oldName === undefined ? name : `${oldName} → ${name}`
    const row = element(
      'div',
      {
        id: `row-${index}`,
        role: 'option',
        class: `row ${op}`,
        'aria-selected': String(index === this.#selected),
        'aria-setsize': String(this.#shown.length),
        'aria-posinset': String(index + 1),
        'aria-label': `${op} ${title}`,
        title,
      },
      element('span', { class: 'sign' }, SIGNS[op] ?? '·'),
      element('span', { class: 'name' }, title),
      element('span', { class: 'set' }, set),
    )
    row.style.top = `${index * ROW}px`
    return row
  }

  #clicked(target: EventTarget | null): void {
    const row = target instanceof Element ? target.closest('[role=option]') : null
    if (row !== null) this.select(Number(row.id.slice('row-'.length)))
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
