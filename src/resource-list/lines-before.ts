import type { KrmObject } from './krm-object.ts'
import type { ObjectText } from './object-text.ts'

/**
 * Tells each item how many lines of its file stand before it: those of the documents with smaller indexes, and a `---` for
 * each. Comments that stand apart from all objects never reach a function, so a file that has some is a few lines off.
 */
export function linesBeforeEach(texts: readonly ObjectText[], items: readonly KrmObject[]): void {
  let lines: ReadonlyMap<ObjectText, number> | undefined
  for (const text of texts) {
    text.linesBefore = () => {
      lines ??= countBefore(texts, items)
      return lines.get(text) ?? 0
    }
  }
}

function countBefore(texts: readonly ObjectText[], items: readonly KrmObject[]): ReadonlyMap<ObjectText, number> {
  const counted = new Map<ObjectText, number>()
  const reached = new Map<string, number>()
  const placed = texts.flatMap((text, at) => {
    const item = items[at]
    return item?.file === undefined ? [] : [{ text, index: item.file.index, key: `${item.packagePath ?? ''}\n${item.file.path}` }]
  })
  for (const { text, key } of placed.sort((a, b) => a.index - b.index)) {
    const before = reached.get(key) ?? 0
    counted.set(text, before)
    reached.set(key, before + text.linesInFile() + 1)
  }
  return counted
}
