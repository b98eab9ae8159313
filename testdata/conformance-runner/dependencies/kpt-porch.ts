import { porchRevisionNumber } from '../../../src/dependencies/porch/objects.ts'
import { filterTags, resolveFunctionTag } from '../../../src/dependencies/porch/rules/function-tags.ts'
import { pathsNest } from '../../../src/dependencies/porch/rules/variants.ts'
import type { JsonRecord } from '../../../src/json.ts'
import { DIALECTS } from '../../../src/versions/dialects.ts'
import type { Adapter, Difference } from '../adapter.ts'
import { casesOfFile, differ, judgeByKind, lacksText, record, records, text, texts } from './vectors.ts'

/** Rules of kpt and Porch on tags, revisions and paths. */
export const KPT_PORCH: Adapter = {
  folder: 'dependencies/kpt-porch',
  cases: casesOfFile,
  run: judgeByKind({
    'kpt-tag-filter': judgeFilter,
    'kpt-function-tag': judgeTag,
    'porch-path-overlap': judgeOverlap,
    'porch-revision': (vector) => differ(text(vector, 'in'), porchRevisionNumber(vector.in), vector.out),
  }),
  known: [],
}

function judgeFilter(vector: JsonRecord): readonly Difference[] {
  const everything = DIALECTS.kpt.parseConstraint('*')
  const kept = everything.ok ? filterTags(texts(vector, 'tags'), everything.value) : []
  return differ(
    'tags',
    kept.map((version) => version.text),
    vector.expect,
  )
}

function judgeTag(vector: JsonRecord): readonly Difference[] {
  const expected = record(vector, 'expect')
  const resolved = resolveFunctionTag(text(vector, 'image'), text(vector, 'tag'), texts(vector, 'available'))
  if (text(expected, 'errorContains') !== '') return lacksText([text(expected, 'errorContains')], 'error' in resolved ? resolved.error : '')
  return differ('image', 'image' in resolved ? resolved.image : resolved, expected.image)
}

// A new package beside existing ones: an equal path is a package that is there already, a nested one is refused.
function judgeOverlap(vector: JsonRecord): readonly Difference[] {
  if (vector.new === undefined) return differ('overlap', pathsNest(text(vector, 'a'), text(vector, 'b')), vector.overlap)
  const added = record(vector, 'new')
  const beside = records(vector, 'existing').filter((each) => text(each, 'repo') === text(added, 'repo'))
  const equal = beside.some((each) => text(each, 'package') === text(added, 'package'))
  const nested = beside.some((each) => pathsNest(text(each, 'package'), text(added, 'package')))
  const expected = text(vector, 'errorContains')
  if (expected === '') return differ('accepted', !equal && !nested, true)
  return expected.includes('already exists') ? differ('exists', equal, true) : differ('nested', nested, true)
}
