/** Finding the modules that the values of a request select, and their parameters. */

export const SEPARATOR = "|";
const UNIT = "\x1f";
const LAST = new Set(["main", "format"]);

/** Return the values of a list. */
export function split(text) {
  if (!text) return [];
  return text.startsWith(UNIT) ? text.slice(1).split(UNIT) : text.split(SEPARATOR);
}

/**
 * Return the sections of the form, the action first: `{key, path, name, module, prefix, fields}`.
 * `name` is how a request selects the module (`generator=links`); a field is `{name, param}` with the
 * full name of the parameter.
 */
export async function plan(modules, values) {
  await modules.load(["main"]);
  const found = await below(modules, { path: "main", prefix: "", name: "main" }, values);
  const rank = (section) => (LAST.has(section.module.group ?? section.path) ? 1 : 0);
  return found.sort((one, other) => rank(one) - rank(other));
}

async function below(modules, { path, prefix: outer, name }, values) {
  const module = modules.get(path);
  if (!module) return [];
  const prefix = outer + module.prefix;
  const section = { path, name, module, prefix, fields: fieldsOf(module, prefix, values) };
  section.key = [name, prefix, ...section.fields.map((field) => field.name)].join(" ");
  const chosen = section.fields.flatMap((field) => submodules(field, values));
  await modules.load(chosen.map((one) => one.path));
  const found = [section];
  for (const one of chosen) found.push(...(await below(modules, one, values)));
  return found;
}

function submodules({ name, param }, values) {
  if (!param.submodules) return [];
  const given = values.get(name) ?? (param.default === undefined ? "" : String(param.default));
  return split(given)
    .filter((value) => Object.hasOwn(param.submodules, value))
    .map((value) => ({
      path: param.submodules[value],
      prefix: param.submoduleparamprefix ?? "",
      name: `${name}=${value}`,
    }));
}

function fieldsOf(module, prefix, values) {
  const plain = module.parameters.map((param) => ({ name: prefix + param.name, param }));
  const templated = module.templatedparameters.flatMap((param) => {
    const [[word, source]] = Object.entries(param.templatevars);
    return split(values.get(prefix + source)).map((value) => ({
      name: prefix + param.name.replace(`{${word}}`, value),
      param,
    }));
  });
  return [...plain, ...templated].sort((one, other) => one.param.index - other.param.index);
}

/** Return the names of the parameters whose values determine the fields of the form. */
export function deciding(sections) {
  const names = new Set();
  for (const { module, prefix, fields } of sections) {
    for (const { name, param } of fields) if (param.submodules) names.add(name);
    for (const { templatevars } of module.templatedparameters)
      for (const source of Object.values(templatevars)) names.add(prefix + source);
  }
  return names;
}

/**
 * Return the entries to send, `[name, value, param]`, in the order of the form. Parameters without a
 * value are omitted, except tokens, which are fetched when they are needed.
 */
export function request(sections, values) {
  const first = (entry) => (entry[0] === "action" ? 0 : 1);
  return sections
    .flatMap((section) => section.fields)
    .filter(({ name, param }) => values.get(name) || param.tokentype)
    .map(({ name, param }) => [name, values.get(name) ?? "", param])
    .sort((one, other) => first(one) - first(other));
}
