import { compareText } from '../../field-path.ts'
import type { JsonScalar } from '../../json.ts'
import { Copied, type EmittedValue, isContentList } from '../emit/content.ts'
import { targetOf } from '../read/alias-targets.ts'
import { entriesOf } from '../read/merge-keys.ts'
import type { AliasNode, Node } from '../read/node.ts'
import { scalarValue } from '../read/node-value.ts'
import { type EditTree, readEntries } from './tree.ts'

/**
 * Assigns numbers to values: equal values have equal numbers. Each part of a value is visited once, no matter how often and at how many
 * depths it is compared. Key order does not matter, 1 and 1n are equal, NaN equals itself; an alias equals its value, and a merge
 * key the entries that it brings in.
 */
export class Meanings {
  readonly #numbers = new Map<string, number>()
  readonly #known = new Map<object, number>()
  readonly #withTags: boolean

  /** @param options.tags  true if values with different tags differ, for copied values; false for plain values */
  constructor({ tags }: { readonly tags: boolean }) {
    this.#withTags = tags
  }

  of(tree: EditTree): number {
    if (tree.type === 'written') return this.ofContent(tree.content)
    if (tree.type === 'edited-list') return this.#ofList(tree.items.map((item) => this.of(item)))
    if (tree.type === 'edited-map') return this.#ofMap([...readEntries(tree)].map(([key, value]) => [key, this.of(value)]))
    return this.#once(tree, () => this.#ofNode(tree))
  }

  ofContent(content: EmittedValue): number {
    if (content instanceof Copied) return this.of(content.node)
    if (typeof content !== 'object' || content === null) return this.#ofScalar(content)
    return this.#once(content, () =>
      isContentList(content)
        ? this.#ofList(content.map((item) => this.ofContent(item)))
        : this.#ofMap(Object.entries(content).map(([key, value]) => [key, this.ofContent(value)])),
    )
  }

  #once(value: object, number: () => number): number {
    const known = this.#known.get(value)
    if (known !== undefined) return known
    const found = number()
    this.#known.set(value, found)
    return found
  }

  #ofNode(node: Node): number {
    if (node.type === 'alias') return this.#ofAlias(node)
    const number = this.#ofUntagged(node)
    return this.#withTags && node.tag !== undefined ? this.#number(`!${number} ${node.tag}`) : number
  }

  /** Returns the number of the alias's value; if that is unknown, a number for its name. */
  #ofAlias(alias: AliasNode): number {
    const target = targetOf(alias)
    return target === undefined ? this.#number(`*${alias.anchor}`) : this.of(target)
  }

  #ofUntagged(node: Exclude<Node, { type: 'alias' }>): number {
    if (node.type === 'scalar') return this.#ofScalar(scalarValue(node))
    if (node.type === 'sequence') return this.#ofList(node.items.map(({ value }) => this.of(value)))
    return this.#ofMap(entriesOf(node).map(({ key, value }) => [key.text, this.of(value)]))
  }

  #ofScalar(value: JsonScalar): number {
    if (typeof value === 'string') return this.#number(`"${value}`)
    return this.#number(String(value))
  }

  #ofList(items: readonly number[]): number {
    return this.#number(`[${items.join(',')}`)
  }

  /** Returns the number of a map. The last of repeated keys counts. */
  #ofMap(entries: readonly (readonly [string, number])[]): number {
    const sorted = [...new Map(entries)].sort(([a], [b]) => compareText(a, b))
    return this.#number(`{${sorted.map(([key, number]) => `${JSON.stringify(key)}:${number}`).join(',')}`)
  }

  #number(meaning: string): number {
    const known = this.#numbers.get(meaning)
    if (known !== undefined) return known
    this.#numbers.set(meaning, this.#numbers.size)
    return this.#numbers.size - 1
  }
}
