import { compareText, type FieldPath } from '../../field-path.ts'
import { fieldPlace } from '../../resource-list/finding-place.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { ResourceList } from '../../resource-list/resource-list.ts'
import { isWireAnnotation } from '../../resource-list/wire-annotations.ts'
import { FunctionError, type Result } from '../../result.ts'
import { findChild, type SequenceNode, walk } from '../../yaml/read/node.ts'
import { checkConfigSize, fieldError, textPairs } from '../catalog-config.ts'
import type { CatalogFunction } from '../catalog-function.ts'
import { editItems, mapItems } from '../edit-items.ts'
import { checkComment, setLineComments, skippedComment } from '../line-comments.ts'
import { documentOf } from '../plain-scalar.ts'
import { SetterValues, TooManyComparisons } from './setter-values.ts'

/** Writes a comment `# kpt-set: ${name}` behind every value that contains the value of a setter. */
export const CREATE_SETTERS: CatalogFunction = {
  name: 'create-setters',
  versions: ['v0.1.0'],
  at: () => createSetters,
}

function createSetters(list: ResourceList): void {
  const { functionConfig: config } = list
  if (config?.isMap() !== true) {
    const message = 'a functionConfig must be given, with the setters in `data`'
    throw new FunctionError([{ severity: 'error', message, tags: { rule: 'function-config' } }])
  }
  const setters = settersOf(config)
  const results: Result[] = []
  try {
    editItems(mapItems(list), (item) => {
      results.push(...markFields(item, setters))
    })
  } catch (error) {
    if (!(error instanceof TooManyComparisons)) throw error
    throw fieldError(config, {
      rule: 'search-pattern',
      path: ['data'],
      message: 'must have fewer or shorter values: comparing them takes too long',
    })
  }
  if (results.length === 0)
    throw fieldError(config, { rule: 'no-setters', path: ['data'], message: 'must have a value that the package contains' })
  list.results.push(...results)
}

/** The setters of the functionConfig: values to find in texts, and the names of lists by their sorted entries. */
interface Setters {
  readonly values: SetterValues
  readonly lists: ReadonlyMap<string, string>
}

/**
 * Returns the setters of `data`. A value that is a YAML list is the setter of whole lists.
 *
 * @throws FunctionError  when there is none, and for an empty value; as `textPairs`
 */
function settersOf(config: KrmObject): Setters {
  checkConfigSize(config)
  const pairs = textPairs(config, ['data'], true)
  if (pairs.size === 0) throw fieldError(config, { rule: 'required', path: ['data'], message: 'must have a setter' })
  const scalars = new Map<string, string>()
  const lists = new Map<string, string>()
  for (const [name, value] of pairs) {
    const path = ['data', name]
    if (value === '') throw fieldError(config, { rule: 'required', path, message: 'must have a value' })
    const found = documentOf(value)?.written().node
    const node = found && findChild(found, 'value')
    if (node?.type === 'sequence') {
      const key = JSON.stringify(entriesOf(node))
      if (!lists.has(key)) lists.set(key, name)
    } else if (node?.type !== 'map') scalars.set(name, value)
  }
  return { values: new SetterValues(scalars), lists }
}

/** Returns the texts of the entries of a list, sorted; '' for a map or a list. */
function entriesOf({ items }: SequenceNode): readonly string[] {
  return items.map(({ value }) => (value.type === 'scalar' ? value.text : '')).sort(compareText)
}

/** Writes the comments of one object. Returns a result for each. */
function markFields(item: KrmObject, { values, lists }: Setters): readonly Result[] {
  const comments = new Map<FieldPath, { readonly comment: string; readonly value: string }>()
  for (const { path, node } of walk(item.written().node)) {
    if (path[0] === 'metadata' && path[1] === 'annotations' && isWireAnnotation(String(path[2]))) continue
    if (node.type === 'scalar' && !node.text.includes('\n')) {
      const pattern = values.patternOf(node.text)
      if (pattern !== undefined) comments.set(path, { comment: checkComment(item, path, `kpt-set: ${pattern}`), value: node.text })
    }
    if (node.type !== 'sequence' || typeof path.at(-1) !== 'string') continue
    const entries = entriesOf(node)
    const name = lists.get(JSON.stringify(entries))
    if (name !== undefined)
      comments.set(path, { comment: checkComment(item, path, `kpt-set: \${${name}}`), value: `[${entries.join(' ')}]` })
  }
  const positions = new Map([...comments.keys()].map((path) => [path, item.positionOf(path)]))
  const skipped = new Set(setLineComments(item, new Map([...comments].map(([path, { comment }]) => [path, comment]))))
  return [...comments].map(([path, { comment, value }]): Result => {
    const position = positions.get(path) ?? item.positionOf(path)
    if (skipped.has(path)) return skippedComment(item, path, position)
    const message = `Added line comment ${JSON.stringify(comment.slice(2))} for field with value ${JSON.stringify(value)}`
    return { severity: 'info', message, ...fieldPlace(item, path, position), tags: { rule: 'create-setters' } }
  })
}
