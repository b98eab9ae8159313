import type { PackageContent } from '../merge/package-files.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { RenderedContent } from './rendered-package.ts'

/** What was found out about a file that many packages of a fleet have. */
interface Shared {
  /** Whether one of its objects may hold a word. */
  readonly words: Map<string, boolean>
  /** The file as `unchanged` gives it, by side. */
  readonly rendered: Map<string, RenderedContent>
}

/**
 * Only of files that are shared: of one that a single package has, nobody asks twice, and whatever a WeakMap holds outlives the collections
 * of short-lived objects.
 */
const shared = new WeakMap<object, Shared>()

/** Says of the objects of a file that many packages have them: they must not change. */
export function share<Content extends PackageContent | RenderedContent>(content: Content): Content {
  if (!shared.has(content)) shared.set(content, { words: new Map(), rendered: new Map() })
  return content
}

/** Whether a word may be in the text of one of some objects. It is looked for once in a file that is shared. */
export function mayHoldWord<T>(list: readonly T[], word: string, objectOf: (entry: T) => KrmObject): boolean {
  const words = shared.get(list)?.words
  const held = words?.get(word) ?? list.some((entry) => objectOf(entry).mayHold(word))
  words?.set(word, held)
  return held
}

/** A file as one side has it; one that is shared is so in each package. */
export function renderedOnce(content: PackageContent, from: string, render: () => RenderedContent): RenderedContent {
  const known = shared.get(content)
  if (known === undefined) return render()
  const rendered = known.rendered.get(from) ?? share(render())
  known.rendered.set(from, rendered)
  return rendered
}
