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

/**
 * Answers the keys of a page from now on: Escape removes all filters and gives the focus back to where it was before the search, Enter and
 * the down arrow leave the search field.
 */
export function answerKeys({ search, keys, enterList, clear }: PageKeys): void {
  let former: HTMLElement | undefined
  search.addEventListener('focus', ({ relatedTarget }) => {
    former = relatedTarget instanceof HTMLElement ? relatedTarget : undefined
  })
  const leave = (field: EventTarget | null): void => {
    if (field === search && former?.isConnected === true) former.focus()
    else if (isField(field)) enterList()
  }
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      clear()
      leave(event.target)
    }
    const isEntering = event.target === search && (event.key === 'Enter' || event.key === 'ArrowDown')
    const isFree = !isField(event.target) && !event.defaultPrevented && !event.ctrlKey && !event.metaKey && !event.altKey
    const act = isEntering ? enterList : isFree ? keys[event.key] : undefined
    if (act === undefined) return
    event.preventDefault()
    act()
  })
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement
}
