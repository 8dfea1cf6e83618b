// Loaded before a server that would listen on every interface of the machine: here it listens on loopback only.
import { Server } from 'node:net';

const listen = Server.prototype.listen;
Server.prototype.listen = function (port, ...rest) {
  return listen.call(this, Number(port), '127.0.0.1', ...rest.filter((x) => typeof x === 'function'));
};
