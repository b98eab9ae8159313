import { InvalidArgumentError } from 'commander'
import type { SelectionTerm, Shard } from '../../src/render/selection.ts'
import { didYouMean } from '../../src/schema/nearest-name.ts'

const FIELDS = ['set', 'repository', 'variant', 'label'] as const
const FORMS = 'set=NAME, repository=NAME, variant=NAME or label=KEY=VALUE'

/** `--only`: conditions with commas between them. */
export function parseOnly(text: string): readonly SelectionTerm[] {
  return text.split(',').map(parseTerm)
}

function parseTerm(text: string): SelectionTerm {
  const [, name = '', value = ''] = /^\s*([^=]*)=(.+?)\s*$/.exec(text) ?? []
  const field = FIELDS.find((each) => each === name)
  if (field === undefined || value === '') throw invalid(text, name)
  if (field !== 'label') return { field, value }
  const [, key = '', label = ''] = /^([^=]+)=(.*)$/.exec(value) ?? []
  if (key === '') throw invalid(text, name)
  return { field, key, value: label }
}

function invalid(text: string, name: string): InvalidArgumentError {
  const near = FIELDS.some((field) => field === name) ? '' : didYouMean(name || text, FIELDS)
  return new InvalidArgumentError(`'${text}' must be ${FORMS}${near}`)
}

/** `--shard I/N`. Kubernetes counts the pods of a Job from 0, people count from 1: 0 is N. */
export function parseShard(text: string): Shard {
  const [, part = 1, of = 0] = (/^([0-9]+)\/([0-9]+)$/.exec(text) ?? []).map(Number)
  if (part > of || of === 0) throw new InvalidArgumentError('It must be I/N, with I from 1 to N, or from 0 to N - 1.')
  return { part: part === 0 ? of : part, of }
}
