import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'

const FOLDER = fileURLToPath(new URL('../schemas', import.meta.url))

interface Part {
  readonly $ref?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Part>>
  readonly definitions?: Readonly<Record<string, Part>>
  readonly additionalProperties?: boolean | Part
  readonly items?: Part
  readonly examples?: readonly unknown[]
}

const readSchemas = (folder: string) =>
  readdirSync(join(FOLDER, folder))
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({ file, schema: JSON.parse(readFileSync(join(FOLDER, folder, file), 'utf8')) as Part }))

/** The properties of a part and below it that neither say what they are nor stand for a definition that does, as paths. */
function undescribed(part: Part, definitions: Readonly<Record<string, Part>>, path = ''): readonly string[] {
  const { properties = {}, additionalProperties, items } = part
  const here = Object.entries(properties).filter(([, { $ref, description }]) => {
    const said = $ref === undefined ? description : definitions[$ref.replace('#/definitions/', '')]?.description
    return said === undefined
  })
  const below = [
    ...Object.entries({ ...properties, ...part.definitions }),
    ...(typeof additionalProperties === 'object' ? [['*', additionalProperties] as const] : []),
    ...(items ? [['[]', items] as const] : []),
  ]
  return [
    ...here.map(([name]) => `${path}.${name}`),
    ...below.flatMap(([name, child]) => undescribed(child, definitions, `${path}.${name}`)),
  ]
}

describe.each(['', 'output'])('schemas/%s', (folder) => {
  test.each(readSchemas(folder))('$file says of every property what it is', ({ schema }) => {
    expect(undescribed(schema, schema.definitions ?? {})).toEqual([])
  })
})

test('a property without a word would be found', () => {
  expect(undescribed({ properties: { a: { items: { properties: { b: {} } } }, c: { $ref: '#/definitions/d' } } }, { d: {} })).toEqual([
    '.a',
    '.c',
    '.a.[].b',
  ])
})

test.each(readSchemas(''))('$file has an example, which it lets through', ({ schema }) => {
  const ajv = new Ajv({ strict: false, allErrors: true, formats: { cel: true } })
  const examples = schema.examples ?? []
  expect(examples.map((example) => ajv.validate(schema, example) || ajv.errorsText())).toEqual(examples.map(() => true))
  expect(examples.length).toBeGreaterThan(0)
})
