import type { FieldPath } from '../../field-path.ts'
import { asRecord, compactJson, isRecord, type JsonRecord, type JsonValue, scalarText } from '../../json.ts'
import { readArgoYaml } from './argocd-yaml.ts'
import { FieldFault, type TemplateDialect } from './template-text.ts'

/** Returns the parameters of a list generator: those of its elements, and behind them those of `elementsYaml`. */
export function listParams(
  { elements, elementsYaml }: JsonRecord,
  path: FieldPath,
  { goTemplate }: TemplateDialect,
): readonly JsonRecord[] {
  const text = scalarText(elementsYaml)
  const more = text === '' ? [] : elementsOf(text, [...path, 'elementsYaml'])
  const own = text !== '' && elements === undefined ? [] : requireList(elements, [...path, 'elements'])
  const given = own.map((element, index) => {
    const own = [...path, 'elements', index]
    if (!isRecord(element)) throw new FieldFault(own, 'must be a map')
    if (goTemplate) return element
    return Object.fromEntries(
      Object.entries(element).flatMap(([key, value]): [string, JsonValue][] => {
        if (key !== 'values') return [[key, textAt(value, [...own, key])]]
        return Object.entries(asRecord(value)).map(([name, each]) => [`values.${name}`, textAt(each, [...own, key, name])])
      }),
    )
  })
  return [...given, ...more]
}

/** Returns the elements of a text of YAML, in which a matrix writes the parameters of its first generator. */
function elementsOf(text: string, path: FieldPath): readonly JsonRecord[] {
  try {
    const value = readArgoYaml(text)
    if (Array.isArray(value) && value.every(isRecord)) return value
  } catch (error) {
    throw new FieldFault(path, `must be YAML, ${error instanceof Error ? error.message.split('\n')[0] : ''}`)
  }
  throw new FieldFault(path, 'must be a list of maps')
}

/** Without `goTemplate` Argo CD takes no number or map as a parameter. */
function textAt(value: JsonValue, path: FieldPath): string {
  if (typeof value !== 'string') throw new FieldFault(path, `must be a text without goTemplate, got ${compactJson(value)}`)
  return value
}

/** Returns a list of a generator. @throws FieldFault for anything else */
export function requireList(value: JsonValue | undefined, path: FieldPath): readonly JsonValue[] {
  if (!Array.isArray(value)) throw new FieldFault(path, 'must be a list')
  return value
}
