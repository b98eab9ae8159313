import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CATALOG_SCHEMA } from '../../src/dependencies/config/catalog-schema.ts'
import { publishSchema } from '../../src/schema/publish-schema.ts'
import { CHECK_DEPENDENCIES_SCHEMA } from './schema.ts'

test.each([
  { file: 'check-dependencies.json', schema: CHECK_DEPENDENCIES_SCHEMA },
  { file: 'catalog.json', schema: CATALOG_SCHEMA },
])('the published $file is that of today (`node scripts/generate.mjs --publish`)', ({ file, schema }) => {
  const published = readFileSync(new URL(`../../schemas/${file}`, import.meta.url), 'utf8')
  expect(published).toBe(`${JSON.stringify(publishSchema(schema), null, 2)}\n`)
})
