// Examples of nodemw's documentation: node write_nodemw.js HOST PORT USER PASSWORD ACTION...
const Bot = require('nodemw');

const [server, port, username, password, ...actions] = process.argv.slice(2);
const bot = new Bot({ protocol: 'http', server, port: Number(port), path: '/w', username, password });

const examples = {
  edit: (done) => bot.edit('Tea', 'It is warm.', 'warmed', true, done),
  append: (done) => bot.append('Tea', ' Very.', 'more', done),
  move: (done) => bot.move('Tea', 'Green tea', 'exact', done),
  delete: (done) => bot.delete('Spam', 'spam', done),
};

const fail = (error) => { console.error(error); process.exit(1); };

bot.logIn((error) => {
  if (error) fail(error);
  const next = () => {
    const action = actions.shift();
    if (!action) return;
    examples[action]((failed) => (failed ? fail(failed) : next()));
  };
  next();
});
