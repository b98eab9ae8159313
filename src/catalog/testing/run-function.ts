import { KrmObject } from '../../resource-list/krm-object.ts'
import { ResourceList } from '../../resource-list/resource-list.ts'
import type { Result } from '../../result.ts'
import { resultsOf } from '../../run.ts'
import { CATALOG } from '../catalog.ts'

/**
 * Runs a function on objects. Returns the lines that the function changed or added, then its findings without infos.
 *
 * @param name  with a version behind a space: `set-labels v0.1.5`; without, the newest version runs
 * @param config  `data` of a ConfigMap, or a whole functionConfig
 */
export function run(name: string, config: object, ...texts: readonly string[]): readonly string[] {
  const { items, results } = ran(name, config, texts)
  const before = texts.join('').split('\n')
  const lines = items.flatMap((item) => item.toText().split('\n')).filter((line) => !before.includes(line))
  const messages = results.filter(({ severity }) => severity !== 'info').map(({ severity, message }) => `${severity}: ${message}`)
  return [
    ...lines.map((line) => line.trim()),
    ...(items.length < texts.length ? [`${texts.length - items.length} removed`] : []),
    ...messages,
  ]
}

/** Runs a function as `run` does, and returns its messages, with infos. */
export function messagesOfRun(name: string, config: object, ...texts: readonly string[]): readonly string[] {
  return ran(name, config, texts).results.map(({ message }) => message)
}

/** Runs a function as `run` does, and returns the names of the objects that its results are about. */
export function namesInResults(name: string, config: object, ...texts: readonly string[]): readonly (string | undefined)[] {
  return ran(name, config, texts).results.map(({ resourceRef }) => resourceRef?.name)
}

/**
 * Runs a function as `run` does, and returns the objects that the function leaves, as values.
 *
 * @throws Error  with the first error of the function
 */
export function valuesAfter(name: string, config: object, ...texts: readonly string[]): readonly unknown[] {
  const { items, results } = ran(name, config, texts)
  const [error] = results.filter(({ severity }) => severity === 'error')
  if (error !== undefined) throw new Error(error.message)
  return items.map((item) => item.toJson())
}

function ran(called: string, config: object, texts: readonly string[]): { items: readonly KrmObject[]; results: readonly Result[] } {
  const [name, version] = called.split(' ')
  const fn = CATALOG.find((each) => each.name === name)
  if (fn === undefined) throw new Error(`no function ${name}`)
  const items = texts.map((text, index) => KrmObject.fromDocument(text, { path: `${index}.yaml`, index: 0, line: 1 }))
  const whole = 'kind' in config ? config : { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'config' }, data: config }
  const list = ResourceList.of(items, KrmObject.fromDocument(JSON.stringify(whole)))
  const results = resultsOf(fn.at(version ?? fn.versions.find((each) => each.startsWith('v')) ?? ''), list)
  return { items: list.items, results }
}

/** Returns the text of an object; `rest` is behind `metadata.name`. */
export function objectText(kind: string, rest: string, apiVersion = 'v1', name = 'web'): string {
  return `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: ${name}\n${rest}`
}
