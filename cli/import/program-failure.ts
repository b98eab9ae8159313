import { printableText } from '../../src/printable.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { hideTexts, looksLikeSecret } from '../../src/secret-values.ts'

const LONGEST = 600

/**
 * Returns what a program says on stderr, without `Error: `, the advice about debug output, and what may be secret in the files that the
 * program read.
 *
 * @param texts  the texts of the files
 */
export function failureOf(stderr: string, texts: Iterable<string>): string {
  const lines = stderr
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^(?:Use --debug|walk\.go|coalesce\.go|WARNING|# Warning)/.test(line))
  const secrets = [...new Set([...texts].flatMap(secretTexts))].sort((a, b) => b.length - a.length)
  const reason = hideTexts(lines.join(' ').replace(/^Error: /, ''), secrets)
  return printableText(reason.slice(0, LONGEST)).replaceAll('\n', ' ') || 'it says nothing'
}

const SHORTEST = 4

/** Keys whose values name something, such as the files of a `secretGenerator`. */
const PUBLIC = /(?:name|namespace|kind|type|behavior|files|envs?)$/i

const SECRET_KEY = /pass|secret|token|key|cred|auth|cert/i

/** Returns the values of Secrets in a file, and those below a key such as `password`; of `password=x` also `x`. */
function secretTexts(file: string): readonly string[] {
  const found = file.split(/^---.*$/m).flatMap((text) => {
    try {
      return scalarsOf(text)
    } catch {
      return lastWords(text)
    }
  })
  return found.flatMap((text) => [text, text.replace(/^[^=]*=/, '')]).filter((text) => text.length >= SHORTEST)
}

function scalarsOf(text: string): readonly string[] {
  const isSecret = looksLikeSecret(text)
  const isValue = (path: string): boolean => SECRET_KEY.test(path) || (isSecret && /(?:^|\.)(?:data|stringData)\./.test(path))
  return KrmObject.fromDocument(text)
    .scalars()
    .filter(({ path }) => isValue(path.join('.')) && !PUBLIC.test(String(path.findLast((step) => typeof step === 'string'))))
    .map(({ text: own }) => own)
}

/** Returns the words of a text that is no YAML, such as that of a template or of variables, which may be values. */
function lastWords(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => SECRET_KEY.test(line) || looksLikeSecret(text))
  return lines.flatMap((line) => /[^\s:"'=]{4,}(?=["']?\s*$)/.exec(line)?.[0] ?? [])
}
