/** How many different ones are kept: most lists have objects of few kinds, namespaces and labels. */
const MOST = 1000

/** The longest that is kept. */
const LONGEST = 200

/** Ends a text in a key: no name of Kubernetes holds it. */
const END = '\0'

const texts = new Map<string, string>()
const maps = new Map<string, ReadonlyMap<string, string>>()

/** The same text for all that are equal. */
export function sharedText(text: string): string {
  if (text.length > LONGEST) return text
  return texts.get(text) ?? keep(texts, text, copyOf(text))
}

/** The same map for all that hold the same one or two texts: it takes more room than these. */
export function sharedMap(map: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  if (map.size === 0 || map.size > 2) return map
  let key = ''
  for (const [name, value] of map) {
    if (name.includes(END) || value.includes(END)) return map
    key += `${name}${END}${value}${END}`
  }
  if (key.length > LONGEST) return map
  return maps.get(key) ?? keep(maps, key, new Map([...map].map(([name, value]) => [copyOf(name), copyOf(value)])))
}

function keep<Value>(kept: Map<string, Value>, key: string, value: Value): Value {
  if (kept.size >= MOST) kept.clear()
  kept.set(copyOf(key), value)
  return value
}

/** A part of a text keeps all of that alive; of a joined one, only what was joined. */
function copyOf(text: string): string {
  return `${text}${END}`.slice(0, -1)
}
