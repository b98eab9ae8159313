/** The keys of a page, and what they do. */
export interface PageKeys {
  readonly search: HTMLInputElement
  /** The action of each key by its name, while no field is typed into. */
  readonly keys: Readonly<Record<string, () => void>>
  /** Leaves the search field for the list of what was found. */
  readonly enterList: () => void
  /** Removes all filters. */
  readonly clear: () => void
}

/** Answers the keys of a page from now on: Escape removes all filters, Enter and the down arrow leave the search field. */
export function answerKeys({ search, keys, enterList, clear }: PageKeys): void {
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement
    if (event.key === 'Escape') clear()
    const isEntering = event.target === search && (event.key === 'Enter' || event.key === 'ArrowDown')
    const isFree = !isTyping && !event.defaultPrevented && !event.ctrlKey && !event.metaKey && !event.altKey
    const act = isEntering ? enterList : isFree ? keys[event.key] : undefined
    if (act === undefined) return
    event.preventDefault()
    act()
  })
}
