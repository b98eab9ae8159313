import { asRecord, type JsonValue } from '../../json.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { plainScalars } from '../../yaml/read/yaml-library.ts'

/** Matches a plain scalar that is a boolean or an octal number in YAML 1.1 alone. */
const OLD_WORD = /^(?:y|n|yes|no|on|off|0[0-7]+)$/i

/** Returns the value of a YAML text as Argo CD reads it. @throws Error for what is no YAML, and for words that YAML 1.1 reads otherwise */
export function readArgoYaml(text: string): JsonValue {
  const old = plainScalars(text).find((scalar) => OLD_WORD.test(scalar.text))
  if (old !== undefined)
    throw new Error(`has a plain '${old.text}' in line ${old.line}, column ${old.column}, which Argo CD reads as YAML 1.1 does: quote it`)
  const isList = /^\s*(?:-\s|\[)/.test(text.replaceAll(/^(?:---.*|\s*#.*|\s*)\n/gm, ''))
  if (!isList) return KrmObject.fromDocument(text).toJson()
  const indented = text.replaceAll(/^---.*$/gm, '').replaceAll(/^/gm, ' ')
  return asRecord(KrmObject.fromDocument(`items:\n${indented}`).toJson()).items ?? []
}
