// What people know from Kubernetes' validation rules, from Google Cloud, from cel-go's extensions and from other languages, and
// what the standard library has instead. Porch v1.5 render.go declares no extension library.
const CLOSEST: readonly (readonly [closest: string, names: string])[] = [
  ["a choice, x == 'a' ? 'b' : x", 'replace replaceAll sub gsub regexReplace translate'],
  [
    'matches(…), which takes any case with (?i) before the pattern',
    'upperAscii lowerAscii upper lower toUpper toLower toUpperCase toLowerCase title',
  ],
  [
    'matches(…); a part that is wanted alone needs a label of its own',
    'split substring substr slice extract capture capturegroup find findAll charAt trim trimSpace trimPrefix trimSuffix strip',
  ],
  ['startsWith(…), endsWith(…) and contains(…)', 'indexOf lastIndexOf index includes hasPrefix hasSuffix startswith endswith isIn'],
  ["+, as in a + '-' + string(n)", 'format join concat append sprintf printf reverse quote padStart padEnd'],
  ['size(…)', 'len length count sizeOf'],
  ['string(…)', 'toString str text asString'],
  ['int(…)', 'toInt parseInt integer number atoi'],
  [
    "has(a.b) ? a.b : 'none'",
    'default orValue or orElse get getOrDefault coalesce hasValue optMap optFlatMap value optional exists_key containsKey hasKey',
  ],
  ['exists_one(x, …)', 'existsOne exists1 one'],
  ['map(x, …) and filter(x, …)', 'transformList transformMap transformMapEntry flatMap flatten distinct unique sort sortBy reduce'],
  ['exists(x, …) and all(x, …)', 'any some every none'],
  ['a comparison with ? :', 'greatest least max min abs ceil floor round sum range'],
  ['key in target.labels', 'keys values entries'],
  ['[0] takes the first element', 'first last'],
  ["timestamp('2026-01-31T00:00:00Z')", 'now date time'],
]

const CLOSEST_BY_NAME: ReadonlyMap<string, string> = new Map(
  CLOSEST.flatMap(([closest, names]) => names.split(' ').map((name): [string, string] => [name, closest])),
)

/** The names before the dot of functions of other environments: `math.greatest(…)`. */
const LIBRARIES = new Set('math sets strings lists regex cel optional base64 encoders ip cidr url quantity semver format net'.split(' '))

/** What the standard library has in place of a function that other environments of CEL, or other languages, have. */
export function closestFunction(name: string): string | undefined {
  return CLOSEST_BY_NAME.get(name)
}

/** Whether a name is that of a library of functions which Porch does not have. */
export function isLibrary(name: string): boolean {
  return LIBRARIES.has(name)
}
