// Examples of mwn's documentation: node write_mwn.js API-URL USER PASSWORD ACTION...
const { Mwn } = require('mwn');

const examples = {
  edit: (bot) => bot.edit('Tea', (rev) => ({
    text: rev.content.replace('hot', 'cold'), summary: 'cooled', minor: true,
  })),
  save: (bot) => bot.save('Tea', 'It is warm.', 'warmed'),
  create: (bot) => bot.create('Water', 'Wet.', 'new'),
  newSection: (bot) => bot.newSection('Talk:Tea', 'Milk', 'With milk?'),
  move: (bot) => bot.move('Tea', 'Green tea', 'exact'),
  delete: (bot) => bot.delete('Spam', 'spam'),
};

(async () => {
  const [apiUrl, username, password, ...actions] = process.argv.slice(2);
  const bot = await Mwn.init({ apiUrl, username, password, userAgent: 'wikiapi-tests/1' });
  for (const action of actions) {
    await examples[action](bot);
  }
  console.log(JSON.stringify(await bot.read('Tea')));
})().catch((error) => { console.error(error); process.exit(1); });
