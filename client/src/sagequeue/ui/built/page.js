// made by client/ui/build.js from sources with the digest 96b6cbd8dd025426371be2df67ab5127c5e6d4cc609143ce1687a15727309835

// node_modules/preact/dist/preact.mjs
var n;
var t;
var r;
var u;
var i;
var f;
var o;
var e;
var l;
var c;
var a;
var s;
var h = /* @__PURE__ */ Symbol.for("pv");
var p = {};
var y = [];
var v = /^m(i|n|o|s|text|space)$/;
var w = Array.isArray;
var d = y.slice;
var _ = Object.assign;
function g(n2) {
  n2 && n2.parentNode && n2.remove();
}
function m(r3, u3, i3, f4, o4) {
  var e3 = { type: r3, props: u3, key: i3, ref: f4, __k: null, __: null, __b: 0, __e: null, __c: null, constructor: h, __v: o4 || ++t, __i: -1, __u: 0 };
  return !o4 && n.vnode && n.vnode(e3), e3;
}
function $(n2) {
  return n2.children;
}
function x(n2, t3) {
  this.props = n2, this.context = t3, this.__g = 0;
}
function S(n2, t3) {
  if (null == t3) return n2.__ && S(n2.__, n2.__i + 1);
  for (var r3; t3 < n2.__k.length; t3++) if ((r3 = n2.__k[t3]) && r3.__e) return r3.__e;
  return "function" != typeof n2.type || n2.props.__P ? null : S(n2);
}
function C(t3) {
  var r3, u3 = t3.__v, i3 = u3.__e, f4 = [], o4 = [], e3 = t3.__P;
  e3 && ((r3 = _({ constructor: h }, u3)).__v = u3.__v + 1, n.vnode && n.vnode(r3), z(e3, r3, u3, t3.__n, e3.namespaceURI, 32 & u3.__u ? [i3] : null, f4, i3 || S(u3), 32 & u3.__u, o4), r3.__v = u3.__v, r3.__.__k[r3.__i] = r3, E(f4, r3, o4), u3.__ = u3.__e = null, r3.__e != i3 && j(r3));
}
function j(n2) {
  if ((n2 = n2.__) && n2.__c && !n2.props.__P) return n2.__e = null, n2.__k.some(function(t3) {
    return t3 && (n2.__e = t3.__e);
  }), j(n2);
}
function L(t3) {
  (8 & t3.__g || (t3.__g |= 8, u.push(t3), f++)) && i == n.debounceRendering || ((i = n.debounceRendering) || queueMicrotask)(H);
}
function H() {
  try {
    for (var n2, t3 = 1; u.length; ) u.length > t3 && u.sort(o), n2 = u.shift(), t3 = u.length, 8 & n2.__g && C(n2);
  } finally {
    (f = u.length) && (i || queueMicrotask)(H);
  }
}
function I(n2, t3, r3, u3, i3, f4, o4, e3, l3, c3, a4) {
  var s3, h3, v3, w3, d3, _4, g3 = u3.__k || y, k2 = t3.length;
  for (l3 = q(r3, t3, g3, l3, k2), s3 = 0; s3 < k2; s3++) null != (v3 = r3.__k[s3]) && (h3 = ~v3.__i && g3[v3.__i] || p, v3.__i = s3, _4 = z(n2, v3, h3, i3, f4, o4, e3, l3, c3, a4), w3 = v3.__e, (h3.ref != v3.ref || 8 & h3.__u) && (h3.ref && G(h3.ref, null, v3, h3), v3.ref && a4.push(v3.ref, v3.__c || w3, v3)), d3 = d3 || w3, 4 & v3.__u ? (l3 = A(v3, l3, n2, !h3.__v), h3.__e && (h3.__e = null)) : "function" == typeof v3.type && void 0 !== _4 ? l3 = _4 : w3 && (l3 = w3.nextSibling), v3.__u &= -21);
  return r3.__e = d3, l3;
}
function q(n2, t3, r3, u3, i3) {
  var f4, o4, e3, l3, c3, a4, s3, p3, y3, v3 = r3.length, d3 = v3, _4 = 0, g3 = 0, k2 = n2.__k = Array(i3);
  for (f4 = 0; f4 < i3; f4++) null != (o4 = t3[f4]) && "boolean" != typeof o4 && "function" != typeof o4 ? ("object" != typeof o4 || o4.constructor === String ? o4 = k2[f4] = m(null, o4) : w(o4) ? o4 = k2[f4] = m($, { children: o4 }) : o4.constructor === h && o4.__b ? o4 = k2[f4] = m(o4.type, o4.props, o4.key, o4.ref, o4.__v) : k2[f4] = o4, l3 = f4 + _4, o4.__ = n2, o4.__b = n2.__b + 1, e3 = null, ~(c3 = o4.__i = P(o4, r3, l3, d3)) && (d3--, (e3 = r3[c3]) && (e3.__u |= 2)), e3 && e3.__v ? (o4.__u |= 16, c3 == l3 - 1 ? _4-- : c3 == l3 + 1 ? _4++ : c3 != l3 && (c3 > l3 ? _4-- : _4++, g3 = 1)) : (~c3 || (i3 > v3 ? _4-- : i3 < v3 && _4++), "function" != typeof o4.type && (o4.__u |= 4))) : k2[f4] = null;
  if (g3) {
    for (a4 = [], s3 = [], f4 = 0; f4 < i3; f4++) if ((o4 = k2[f4]) && 16 & o4.__u) {
      for (_4 = 0, p3 = a4.length; _4 < p3; ) a4[y3 = _4 + p3 >> 1] < o4.__i ? _4 = y3 + 1 : p3 = y3;
      a4[_4] = o4.__i, s3[f4] = _4 + 1;
    }
    for (_4 = a4.length; f4--; ) s3[f4] && (s3[f4] == _4 ? _4-- : k2[f4].__u |= 4);
  }
  if (d3) for (f4 = 0; f4 < v3; f4++) !(e3 = r3[f4]) || 2 & e3.__u || (e3.__e == u3 && (u3 = S(e3)), J(e3, e3));
  return u3;
}
function A(n2, t3, r3, u3) {
  var i3, f4, o4, e3;
  if ("function" == typeof n2.type) {
    if (n2.props.__P) return t3;
    if (i3 = n2.__k) for (f4 = 0; f4 < i3.length; f4++) i3[f4] && (i3[f4].__ = n2, t3 = A(i3[f4], t3, r3, false));
    return t3;
  }
  for (t3 && !t3.parentNode && (t3 = S(n2)) && !t3.parentNode && (t3 = null), o4 = n2.__e, e3 = t3; e3 && 8 == e3.nodeType; ) e3 = e3.nextSibling;
  for (o4 != e3 && (!u3 && r3.moveBefore && o4.parentNode ? r3.moveBefore(o4, t3) : r3.insertBefore(o4, t3 || null)), t3 = o4; (t3 = t3 && t3.nextSibling) && 8 == t3.nodeType && !t3.data.startsWith("$s"); ) ;
  return t3;
}
function P(n2, t3, r3, u3) {
  var i3, f4 = n2.key, o4 = n2.type, e3 = t3[r3], l3 = e3 && !(2 & e3.__u);
  if (null === e3 && null == f4 || l3 && f4 == e3.key && o4 == e3.type) return r3;
  if (u3 > (l3 ? 1 : 0)) {
    for (i3 = r3 - 1; i3 >= 0; i3--) if ((e3 = t3[i3]) && !(2 & e3.__u) && f4 == e3.key && o4 == e3.type) return i3;
    for (i3 = r3 + 1; i3 < t3.length; i3++) if ((e3 = t3[i3]) && !(2 & e3.__u) && f4 == e3.key && o4 == e3.type) return i3;
  }
  return -1;
}
function T(n2, t3, r3) {
  null == r3 && (r3 = ""), "-" == t3[0] ? n2.setProperty(t3, r3) : n2[t3] = r3;
}
function N(n2, t3, r3, u3, i3) {
  var f4, o4;
  if ("style" == t3) if ("string" == typeof r3) n2.style.cssText = r3;
  else {
    if ("string" == typeof u3 && (n2.style.cssText = u3 = ""), u3) for (t3 in u3) r3 && t3 in r3 || T(n2.style, t3);
    if (r3) for (t3 in r3) u3 && r3[t3] == u3[t3] || T(n2.style, t3, r3[t3]);
  }
  else if ("o" == t3[0] && "n" == t3[1]) "function" != typeof r3 && (r3 = null), "function" != typeof u3 && (u3 = null), (n2.__e || (n2.__e = {}))[t3] = r3, r3 && u3 || (o4 = a[t3] || (a[t3] = V(t3)), (n2.__a || (n2.__a = {}))[t3] = c, f4 = t3 != (t3 = t3.replace(l, "$1")), (t3 = t3.slice(2))[0] < "a" && (t3 = t3.toLowerCase()), r3 ? n2.addEventListener(t3, o4, f4) : n2.removeEventListener(t3, o4, f4));
  else {
    if ("http://www.w3.org/2000/svg" == i3) t3 = t3.replace(/xlink(H|:h)/, "h").replace(/sName$/, "s");
    else if ("width" != t3 && "height" != t3 && "href" != t3 && "list" != t3 && "form" != t3 && "tabIndex" != t3 && "download" != t3 && "rowSpan" != t3 && "colSpan" != t3 && "role" != t3 && "popover" != t3 && t3 in n2) try {
      return void (n2[t3] = null == r3 ? "" : r3);
    } catch (n3) {
    }
    if ("function" == typeof r3) return;
    null == r3 || false === r3 && "-" != t3[4] ? n2.removeAttribute(t3) : n2.setAttribute(t3, "popover" == t3 && 1 == r3 ? "" : r3);
  }
}
function V(t3) {
  return function(r3) {
    var u3 = this.__e;
    if (u3) {
      if (u3 = u3[t3], null == r3[e]) r3[e] = c++;
      else if (r3[e] < this.__a[t3]) return;
      return u3(n.event ? n.event(r3) : r3);
    }
  };
}
function z(t3, r3, u3, i3, f4, o4, e3, l3, c3, a4) {
  var s3, p3, v3, d3, k2, b2, m3, M2, C3, j2, L2, H2, q2, A3, O, P2, T3, N2, V2 = r3.type;
  if (r3.constructor !== h) return null;
  128 & u3.__u && (c3 = 32 & u3.__u, s3 = u3.__c.__z) && (r3.__u |= c3, p3 = o4 = [], 8 == s3.nodeType ? l3 = B(s3, o4) : o4.push(s3), l3 = o4[0] || l3), (s3 = n.__b) && s3(r3);
  n: if ("function" == typeof V2) {
    v3 = e3.length;
    try {
      if (M2 = r3.props, C3 = (s3 = V2.prototype) && s3.render, j2 = (s3 = V2.contextType) && i3[s3.__c], L2 = s3 ? j2 ? j2.props.value : s3.__ : i3, (d3 = u3.__c) ? (r3.__c = d3, 2 & d3.__g && (d3.__g |= 1)) : (C3 ? r3.__c = d3 = new V2(M2, L2) : (r3.__c = d3 = new x(M2, L2), d3.constructor = V2, d3.render = K), j2 && j2.sub(d3), d3.state || (d3.state = {}), d3.__n = i3, d3.__g |= 8, d3.__h = [], d3.__k = []), C3 && (d3.__s || (d3.__s = d3.state), V2.getDerivedStateFromProps && (d3.__s == d3.state && (d3.__s = _({}, d3.__s)), _(d3.__s, V2.getDerivedStateFromProps(M2, d3.__s)))), k2 = d3.props, b2 = d3.state, d3.__v = r3, u3.__c) {
        if (M2 !== k2 && C3 && !V2.getDerivedStateFromProps && d3.componentWillReceiveProps && d3.componentWillReceiveProps(M2, L2), r3.__v == u3.__v && !(8 & d3.__g) || !(4 & d3.__g) && d3.shouldComponentUpdate && false === d3.shouldComponentUpdate(M2, d3.__s, L2)) {
          r3.__v != u3.__v && (d3.props = M2, d3.state = d3.__s, d3.__g &= -9), r3.__e = u3.__e, r3.__k = u3.__k, r3.__k.some(function(n2) {
            n2 && (n2.__ = r3);
          }), y.push.apply(d3.__h, d3.__k), d3.__k = [], d3.__h.length && e3.push(d3), l3 = S(u3);
          break n;
        }
        d3.componentWillUpdate && d3.componentWillUpdate(M2, d3.__s, L2), C3 && d3.componentDidUpdate && d3.__h.push(function() {
          d3.componentDidUpdate(k2, b2, m3);
        });
      } else C3 && !V2.getDerivedStateFromProps && d3.componentWillMount && d3.componentWillMount(), C3 && d3.componentDidMount && d3.__h.push(d3.componentDidMount);
      d3.context = L2, d3.props = M2, d3.__P = t3, d3.__g &= -5, H2 = n.__r, q2 = C3 ? 25 : 0;
      do {
        d3.__g &= -9, H2 && H2(r3), s3 = d3.render(d3.props, d3.state = d3.__s, d3.context);
      } while (8 & d3.__g && ++q2 < 25);
      C3 && (y.push.apply(d3.__h, d3.__k), d3.__k = []), d3.state = d3.__s, d3.getChildContext && (i3 = _({}, i3, d3.getChildContext())), C3 && u3.__c && d3.getSnapshotBeforeUpdate && (m3 = d3.getSnapshotBeforeUpdate(k2, b2)), A3 = s3 && s3.type === $ && null == s3.key ? s3.props.children : s3, M2.__P && (s3 = l3, f4 = (t3 = M2.__P).namespaceURI, c3 = o4 = null, u3.props && u3.props.__P != t3 && (u3.__k.some(function(n2) {
        n2 && J(n2, n2);
      }), u3.__k = null), l3 = u3.__k ? S(u3, 0) : null), l3 = I(t3, w(A3) ? A3 : [A3], r3, u3, i3, f4, o4, e3, l3, c3, a4), M2.__P && (r3.__e = null, l3 = s3), r3.__u &= -161, p3 && p3.some(g), d3.__h.length && e3.push(d3), 1 & d3.__g && (d3.__g &= -4);
    } catch (t4) {
      if (e3.length = v3, r3.__v = null, c3 || o4) if (t4 && t4.then) {
        if (r3.__u |= 128 | c3, o4) {
          for (~(T3 = o4.indexOf(l3 || void 0)) || (T3 = o4.length); (N2 = o4[T3 - 1]) && 8 == N2.nodeType; ) T3--;
          for (; T3 < o4.length; T3++) if (N2 = o4[T3]) if (o4[T3] = null, O) {
            if (N2 == P2) break;
          } else {
            if (8 != N2.nodeType) break;
            N2.data.startsWith("$s") && (P2 = B(O = N2));
          }
        }
        if (!O) {
          for (; l3 && 8 == l3.nodeType && l3.nextSibling; ) l3 = l3.nextSibling;
          O = l3;
        }
        (s3 = B(O = r3.__c.__z || (r3.__c.__z = O))) ? (r3.__e = O, l3 = s3) : r3.__e = l3, l3 = l3 && l3.nextSibling;
      } else o4 && o4.some(g);
      else r3.__e = u3.__e;
      r3.__k || (r3.__k = u3.__k || []), t4 && t4.then || D(r3), n.__e(t4, r3, u3);
    }
  } else l3 = r3.__e = F(u3.__e, r3, u3, i3, f4, o4, e3, c3, a4, t3);
  return (s3 = n.diffed) && s3(r3), l3;
}
function B(n2, t3) {
  if (n2 && 8 == n2.nodeType && n2.data.startsWith("$s")) for (var r3 = 1; n2 = n2.nextSibling; ) {
    if (8 == n2.nodeType) {
      if (n2.data.startsWith("$s")) r3++;
      else if (n2.data.startsWith("/$s") && !--r3) return n2;
    }
    t3 && t3.push(n2);
  }
}
function D(n2) {
  n2 && (n2.__c && (n2.__c.__g |= 4), n2.__k && n2.__k.some(D));
}
function E(t3, r3, u3) {
  for (var i3 = 0; i3 < u3.length; ) G(u3[i3++], u3[i3++], u3[i3++]);
  n.__c && n.__c(r3, t3), t3.some(function(r4) {
    try {
      t3 = r4.__h, r4.__h = [], t3.some(function(n2) {
        n2.call(r4);
      });
    } catch (t4) {
      n.__e(t4, r4.__v);
    }
  });
}
function F(t3, r3, u3, i3, f4, o4, e3, l3, c3, a4) {
  var s3, h3, y3, _4, k2, b2, m3, M2, $2 = u3.props || p, x2 = r3.props, C3 = r3.type;
  if ("svg" == C3 ? f4 = "http://www.w3.org/2000/svg" : "math" == C3 ? f4 = "http://www.w3.org/1998/Math/MathML" : f4 || (f4 = "http://www.w3.org/1999/xhtml"), o4) {
    for (s3 = 0; s3 < o4.length; s3++) if ((k2 = o4[s3]) && (C3 ? k2.localName == C3 : 3 == k2.nodeType)) {
      t3 = k2, o4[s3] = null;
      break;
    }
  }
  if (!t3) {
    if (M2 = a4.ownerDocument || document, !C3) return M2.createTextNode(x2);
    t3 = M2.createElementNS(f4, C3, x2.is ? x2 : a4), l3 && (n.__m && n.__m(r3, o4), l3 = false), o4 = null;
  }
  if (C3) {
    if (a4 = "template" == C3 && t3.content || t3, o4 = "textarea" == C3 && null != x2.defaultValue ? null : o4 && d.call(a4.childNodes), !l3 && o4) for ($2 = {}, s3 = 0; s3 < t3.attributes.length; s3++) $2[(k2 = t3.attributes[s3]).name] = k2.value;
    for (s3 in $2) k2 = $2[s3], "dangerouslySetInnerHTML" == s3 ? y3 = k2 : "children" == s3 || s3 in x2 || "value" == s3 && "defaultValue" in x2 || "checked" == s3 && "defaultChecked" in x2 || N(t3, s3, null, k2, f4);
    for (s3 in x2) k2 = x2[s3], "children" == s3 ? _4 = k2 : "dangerouslySetInnerHTML" == s3 ? h3 = k2 : "value" == s3 ? b2 = k2 : "checked" == s3 ? m3 = k2 : l3 && "function" != typeof k2 || $2[s3] === k2 || N(t3, s3, k2, $2[s3], f4);
    h3 ? (l3 || y3 && (h3.__html == y3.__html || h3.__html == t3.innerHTML) || (t3.innerHTML = h3.__html), r3.__k = []) : (y3 && (t3.textContent = ""), ("foreignObject" == C3 || "http://www.w3.org/1998/Math/MathML" == f4 && v.test(C3)) && (f4 = "http://www.w3.org/1999/xhtml"), I(a4, w(_4) ? _4 : [_4], r3, u3, i3, f4, o4, e3, o4 ? o4[0] : u3.__k && S(u3, 0), l3, c3), o4 && o4.some(g)), l3 && "textarea" != C3 || (s3 = "value", "progress" == C3 && null == b2 ? t3.removeAttribute(s3) : null == b2 || b2 === t3[s3] && ("progress" != C3 || b2) || N(t3, s3, b2, $2[s3], f4), s3 = "checked", null != m3 && m3 != t3[s3] && N(t3, s3, m3, $2[s3], f4));
  } else $2 === x2 || l3 && t3.data == x2 || (t3.data = x2);
  return t3;
}
function G(t3, r3, u3, i3) {
  try {
    "function" == typeof t3 ? r3 ? r3.__x = t3(r3) || 1 : i3 && (i3 = i3.__c || i3.__e) && (r3 = i3.__x) && (i3.__x = null, "function" == typeof r3 ? r3() : t3(null)) : t3.current = r3;
  } catch (t4) {
    n.__e(t4, u3);
  }
}
function J(t3, r3, u3) {
  var i3, f4, o4, e3;
  if (n.unmount && n.unmount(t3), !(i3 = t3.ref) || i3.current && i3.current != t3.__e || G(i3, null, r3, t3), i3 = t3.__c) {
    if (i3.componentWillUnmount) try {
      i3.componentWillUnmount();
    } catch (t4) {
      n.__e(t4, r3);
    }
    i3.__P = i3.__n = null;
  }
  if (i3 = t3.__k) for (e3 = 0; e3 < i3.length; e3++) i3[e3] && J(i3[e3], r3, "function" != typeof t3.type || u3 && !t3.props.__P);
  !u3 && (i3 = t3.__c) && (i3 = i3.__z) && (f4 = B(i3, o4 = [])) && (i3 == t3.__e && o4.some(g), g(f4), g(i3)), u3 || g(t3.__e), t3.__e = t3.__c = t3.__ = null;
}
function K(n2, t3, r3) {
  return this.constructor(n2, r3);
}
function Q(t3, r3) {
  var u3, i3, f4, o4;
  n.__ && n.__(t3, r3), 9 == r3.nodeType && (r3 = r3.documentElement), i3 = (u3 = t3 && 32 & t3.__u) ? null : r3.__k, r3.__k = m($, { children: [t3] }), f4 = [], o4 = [], z(r3, r3.__k, i3 || p, p, r3.namespaceURI, i3 ? null : r3.firstChild ? d.call(r3.childNodes) : null, f4, i3 ? i3.__e : r3.firstChild, u3, o4), E(f4, r3.__k, o4), r3.__k.props.children = null;
}
n = { __e: function(n2, t3, r3, u3) {
  for (var i3, o4, e3; t3 = t3.__; ) if ((i3 = t3.__c) && !(1 & i3.__g)) {
    i3.__g |= 4;
    try {
      if ((e3 = (o4 = i3.constructor) && o4.getDerivedStateFromError) && i3.setState(o4.getDerivedStateFromError(n2)), i3.componentDidCatch && (i3.componentDidCatch(n2, u3 || {}), e3 = 1), e3 && 8 & i3.__g) return void (i3.__g |= 2);
    } catch (t4) {
      n2 = t4;
    }
  }
  throw f = 0, n2;
} }, t = 0, r = function(n2) {
  return null != n2 && n2.constructor === h;
}, x.prototype.setState = function(n2, t3) {
  var r3 = this.__s;
  r3 && r3 != this.state || (r3 = this.__s = _({}, this.state)), "function" == typeof n2 && (n2 = n2(_({}, r3), this.props)), n2 && (_(r3, n2), this.__v && (t3 && this.__k.push(t3), L(this)));
}, x.prototype.forceUpdate = function(n2) {
  this.__v && (this.__g |= 4, n2 && this.__h.push(n2), L(this));
}, x.prototype.render = $, u = [], f = 0, o = function(n2, t3) {
  return n2.__v.__b - t3.__v.__b;
}, e = /* @__PURE__ */ Symbol(), l = /(PointerCapture)$|Capture$/i, c = 0, a = {}, s = 0;

// node_modules/preact/hooks/dist/hooks.mjs
var t2;
var r2;
var u2;
var i2;
var o2 = Object.is;
var f2 = 0;
var c2 = [];
var e2 = [];
var a2 = n;
var v2 = a2.__b;
var l2 = a2.__r;
var m2 = a2.diffed;
var h2 = a2.__c;
var s2 = a2.unmount;
var p2 = a2.__;
function y2(n2, t3) {
  a2.__h && a2.__h(r2, n2, f2 || t3), f2 = 0;
  var u3 = r2.__H || (r2.__H = { __: [], __h: [] });
  return n2 >= u3.__.length && u3.__.push({}), u3.__[n2];
}
function d2(n2) {
  return f2 = 1, _2(G2, n2);
}
function _2(n2, u3, i3) {
  var f4 = y2(t2++, 2);
  if (f4.t = n2, !f4.__c && (f4.__ = [i3 ? i3(u3) : G2(void 0, u3), function(n3) {
    var t3 = (f4.__N || f4.__)[0], r3 = f4.t(t3, n3);
    o2(t3, r3) || (f4.__N = [r3, f4.__[1]], f4.__c.setState({}));
  }], f4.__c = r2, !r2.__f)) {
    r2.__f = true;
    var c3 = r2.shouldComponentUpdate;
    r2.shouldComponentUpdate = function(n3, t3, r3) {
      var u4 = this.__H;
      if (!u4) return true;
      var i4 = false, f5 = this.props != n3;
      if (u4.__.some(function(n4) {
        n4.__N && (i4 = true, o2(n4.__[0], n4.__N[0]) || (f5 = true));
      }), c3) {
        var e3 = c3.call(this, n3, t3, r3);
        return i4 ? e3 || f5 : e3;
      }
      return !i4 || f5;
    };
  }
  return f4.__;
}
function A2(n2, u3) {
  var i3 = y2(t2++, 3);
  !a2.__s && E2(i3.__H, u3) && (i3.__P = true, i3.__ = n2, i3.u = u3, r2.__H.__h.push(i3));
}
function F2(n2, u3) {
  var i3 = y2(t2++, 4);
  !a2.__s && E2(i3.__H, u3) && (i3.__P = false, i3.__ = n2, i3.u = u3, r2.__h.push(i3));
}
function T2(n2) {
  return f2 = 5, w2(function() {
    return { current: n2 };
  }, []);
}
function w2(n2, r3) {
  var u3 = y2(t2++, 7);
  return E2(u3.__H, r3) && (u3.__ = n2(), u3.__H = r3), u3.__;
}
function b(n2, t3) {
  return f2 = 8, w2(function() {
    return n2;
  }, t3);
}
function g2() {
  var n2;
  do {
    for (; n2 = e2.shift(); ) try {
      C2(n2);
    } catch (t4) {
      a2.__e(t4, { __: (n2 = n2.__P) && n2.__v });
    }
    for (; n2 = c2.shift(); ) {
      var t3 = n2.__H;
      if (n2.__P && t3) try {
        t3.__h.some(C2), t3.__h.some(D2), t3.__h = [];
      } catch (r3) {
        t3.__h = [], a2.__e(r3, n2.__v);
      }
    }
  } while (e2.length);
}
a2.__b = function(n2) {
  r2 = null, v2 && v2(n2);
}, a2.__ = function(n2, t3) {
  n2 && t3.__k && t3.__k.__m && (n2.__m = t3.__k.__m), p2 && p2(n2, t3);
}, a2.__r = function(n2) {
  l2 && l2(n2), t2 = 0;
  var i3 = (r2 = n2.__c).__H;
  i3 && (u2 == r2 ? r2.__h = [] : (i3.__h.some(C2), i3.__h.some(D2), t2 = 0), i3.__h = [], i3.__.some(function(n3) {
    n3.__N && (n3.__ = n3.__N), n3.u = n3.__N = void 0;
  })), u2 = r2;
}, a2.diffed = function(n2) {
  m2 && m2(n2);
  var t3 = n2.__c;
  t3 && t3.__H && (t3.__H.__h.length && B2(c2.push(t3)), t3.__H.__.some(function(n3) {
    n3.u && (n3.__H = n3.u);
  })), u2 = r2 = null;
}, a2.__c = function(n2, t3) {
  t3.some(function(n3) {
    try {
      n3.__h.some(C2), n3.__h = n3.__h.filter(function(n4) {
        return !n4.__ || D2(n4);
      });
    } catch (t4) {
      n3.__h = [function() {
        throw t4;
      }];
    }
  }), h2 && h2(n2, t3);
}, a2.unmount = function(n2) {
  s2 && s2(n2);
  var t3, r3, u3 = n2.__c;
  u3 && u3.__H && (u3.__H.__.some(function(u4) {
    try {
      if (u4.__P && u4.__c) {
        if (void 0 === r3) {
          for (r3 = n2.__; r3 && (!r3.__c || !r3.__c.__P); ) r3 = r3.__;
          r3 = r3 && r3.__c;
        }
        u4.__P = r3, B2(e2.push(u4));
      } else C2(u4);
    } catch (n3) {
      t3 = n3;
    }
  }), u3.__H = void 0, t3 && a2.__e(t3, u3.__v));
};
var k = "function" == typeof requestAnimationFrame;
function z2(n2) {
  var t3, r3 = function() {
    clearTimeout(u3), k && cancelAnimationFrame(t3), setTimeout(n2);
  }, u3 = setTimeout(r3, 35);
  k && (t3 = requestAnimationFrame(r3));
}
function B2(n2) {
  1 != n2 && i2 == a2.requestAnimationFrame || ((i2 = a2.requestAnimationFrame) || z2)(g2);
}
function C2(n2) {
  var t3 = r2, u3 = n2.__c;
  "function" == typeof u3 && (n2.__c = void 0, u3()), r2 = t3;
}
function D2(n2) {
  var t3 = r2;
  n2.__c = n2.__(), r2 = t3;
}
function E2(n2, t3) {
  return !n2 || n2.length != t3.length || t3.some(function(t4, r3) {
    return !o2(t4, n2[r3]);
  });
}
function G2(n2, t3) {
  return "function" == typeof t3 ? t3(n2) : t3;
}

// src/session.ts
var KEY = "session";
function currentSession() {
  const found = JSON.parse(localStorage.getItem(KEY) ?? "null");
  return found && found.expires > Date.now() ? found : null;
}
function keepSession(session) {
  localStorage.setItem(KEY, JSON.stringify(session));
}
function endSession() {
  const ended2 = JSON.parse(localStorage.getItem(KEY) ?? "null");
  if (ended2) keepSession({ ...ended2, token: "", expires: 0 });
}
function forgetSession() {
  localStorage.removeItem(KEY);
}
function isSignedOut() {
  return localStorage.getItem(KEY) === null;
}
function onOtherTabs(changed) {
  const hear = (event) => {
    if (event.key === KEY || event.key === null) changed();
  };
  addEventListener("storage", hear);
  addEventListener("pageshow", changed);
  return () => {
    removeEventListener("storage", hear);
    removeEventListener("pageshow", changed);
  };
}

// node_modules/oauth4webapi/build/index.js
var USER_AGENT;
if (typeof navigator === "undefined" || !navigator.userAgent?.startsWith?.("Mozilla/5.0 ")) {
  const NAME = "oauth4webapi";
  const VERSION = "v3.8.8";
  USER_AGENT = `${NAME}/${VERSION}`;
}
function looseInstanceOf(input, expected) {
  if (input == null) {
    return false;
  }
  try {
    return input instanceof expected || Object.getPrototypeOf(input)[Symbol.toStringTag] === expected.prototype[Symbol.toStringTag];
  } catch {
    return false;
  }
}
var ERR_INVALID_ARG_VALUE = "ERR_INVALID_ARG_VALUE";
var ERR_INVALID_ARG_TYPE = "ERR_INVALID_ARG_TYPE";
function CodedTypeError(message, code, cause) {
  const err = new TypeError(message, { cause });
  Object.assign(err, { code });
  return err;
}
var allowInsecureRequests = /* @__PURE__ */ Symbol();
var clockSkew = /* @__PURE__ */ Symbol();
var clockTolerance = /* @__PURE__ */ Symbol();
var customFetch = /* @__PURE__ */ Symbol();
var jweDecrypt = /* @__PURE__ */ Symbol();
var encoder = new TextEncoder();
var decoder = new TextDecoder();
function buf(input) {
  if (typeof input === "string") {
    return encoder.encode(input);
  }
  return decoder.decode(input);
}
var encodeBase64Url;
if (Uint8Array.prototype.toBase64) {
  encodeBase64Url = (input) => {
    if (input instanceof ArrayBuffer) {
      input = new Uint8Array(input);
    }
    return input.toBase64({ alphabet: "base64url", omitPadding: true });
  };
} else {
  const CHUNK_SIZE = 32768;
  encodeBase64Url = (input) => {
    if (input instanceof ArrayBuffer) {
      input = new Uint8Array(input);
    }
    const arr = [];
    for (let i3 = 0; i3 < input.byteLength; i3 += CHUNK_SIZE) {
      arr.push(String.fromCharCode.apply(null, input.subarray(i3, i3 + CHUNK_SIZE)));
    }
    return btoa(arr.join("")).replace(/=/g, "").replace(/\+/g, "-").replace(/\//g, "_");
  };
}
var decodeBase64Url;
if (Uint8Array.fromBase64) {
  decodeBase64Url = (input) => {
    try {
      return Uint8Array.fromBase64(input, { alphabet: "base64url" });
    } catch (cause) {
      throw CodedTypeError("The input to be decoded is not correctly encoded.", ERR_INVALID_ARG_VALUE, cause);
    }
  };
} else {
  decodeBase64Url = (input) => {
    try {
      const binary = atob(input.replace(/-/g, "+").replace(/_/g, "/").replace(/\s/g, ""));
      const bytes = new Uint8Array(binary.length);
      for (let i3 = 0; i3 < binary.length; i3++) {
        bytes[i3] = binary.charCodeAt(i3);
      }
      return bytes;
    } catch (cause) {
      throw CodedTypeError("The input to be decoded is not correctly encoded.", ERR_INVALID_ARG_VALUE, cause);
    }
  };
}
function b64u(input) {
  if (typeof input === "string") {
    return decodeBase64Url(input);
  }
  return encodeBase64Url(input);
}
var UnsupportedOperationError = class extends Error {
  code;
  constructor(message, options) {
    super(message, options);
    this.name = this.constructor.name;
    this.code = UNSUPPORTED_OPERATION;
    Error.captureStackTrace?.(this, this.constructor);
  }
};
var OperationProcessingError = class extends Error {
  code;
  constructor(message, options) {
    super(message, options);
    this.name = this.constructor.name;
    if (options?.code) {
      this.code = options?.code;
    }
    Error.captureStackTrace?.(this, this.constructor);
  }
};
function OPE(message, code, cause) {
  return new OperationProcessingError(message, { code, cause });
}
function isJsonObject(input) {
  if (input === null || typeof input !== "object" || Array.isArray(input)) {
    return false;
  }
  return true;
}
function prepareHeaders(input) {
  if (looseInstanceOf(input, Headers)) {
    input = Object.fromEntries(input.entries());
  }
  const headers = new Headers(input ?? {});
  if (USER_AGENT && !headers.has("user-agent")) {
    headers.set("user-agent", USER_AGENT);
  }
  if (headers.has("authorization")) {
    throw CodedTypeError('"options.headers" must not include the "authorization" header name', ERR_INVALID_ARG_VALUE);
  }
  return headers;
}
function signal(url, value) {
  if (value !== void 0) {
    if (typeof value === "function") {
      value = value(url.href);
    }
    if (!(value instanceof AbortSignal)) {
      throw CodedTypeError('"options.signal" must return or be an instance of AbortSignal', ERR_INVALID_ARG_TYPE);
    }
    return value;
  }
  return void 0;
}
function assertNumber(input, allow0, it, code, cause) {
  try {
    if (typeof input !== "number" || !Number.isFinite(input)) {
      throw CodedTypeError(`${it} must be a number`, ERR_INVALID_ARG_TYPE, cause);
    }
    if (input > 0)
      return;
    if (allow0) {
      if (input !== 0) {
        throw CodedTypeError(`${it} must be a non-negative number`, ERR_INVALID_ARG_VALUE, cause);
      }
      return;
    }
    throw CodedTypeError(`${it} must be a positive number`, ERR_INVALID_ARG_VALUE, cause);
  } catch (err) {
    if (code) {
      throw OPE(err.message, code, cause);
    }
    throw err;
  }
}
function assertString(input, it, code, cause) {
  try {
    if (typeof input !== "string") {
      throw CodedTypeError(`${it} must be a string`, ERR_INVALID_ARG_TYPE, cause);
    }
    if (input.length === 0) {
      throw CodedTypeError(`${it} must not be empty`, ERR_INVALID_ARG_VALUE, cause);
    }
  } catch (err) {
    if (code) {
      throw OPE(err.message, code, cause);
    }
    throw err;
  }
}
function assertApplicationJson(response) {
  assertContentType(response, "application/json");
}
function notJson(response, ...types) {
  let msg = '"response" content-type must be ';
  if (types.length > 2) {
    const last = types.pop();
    msg += `${types.join(", ")}, or ${last}`;
  } else if (types.length === 2) {
    msg += `${types[0]} or ${types[1]}`;
  } else {
    msg += types[0];
  }
  return OPE(msg, RESPONSE_IS_NOT_JSON, response);
}
function assertContentType(response, contentType) {
  if (getContentType(response) !== contentType) {
    throw notJson(response, contentType);
  }
}
function randomBytes() {
  return b64u(crypto.getRandomValues(new Uint8Array(32)));
}
function generateRandomCodeVerifier() {
  return randomBytes();
}
function generateRandomState() {
  return randomBytes();
}
function generateRandomNonce() {
  return randomBytes();
}
async function calculatePKCECodeChallenge(codeVerifier) {
  assertString(codeVerifier, "codeVerifier");
  return b64u(await crypto.subtle.digest("SHA-256", buf(codeVerifier)));
}
function getClockSkew(client) {
  const skew = client?.[clockSkew];
  return typeof skew === "number" && Number.isFinite(skew) ? skew : 0;
}
function getClockTolerance(client) {
  const tolerance = client?.[clockTolerance];
  return typeof tolerance === "number" && Number.isFinite(tolerance) && Math.sign(tolerance) !== -1 ? tolerance : 30;
}
function epochTime() {
  return Math.floor(Date.now() / 1e3);
}
function assertAs(as) {
  if (typeof as !== "object" || as === null) {
    throw CodedTypeError('"as" must be an object', ERR_INVALID_ARG_TYPE);
  }
  assertString(as.issuer, '"as.issuer"');
}
function assertClient(client) {
  if (typeof client !== "object" || client === null) {
    throw CodedTypeError('"client" must be an object', ERR_INVALID_ARG_TYPE);
  }
  assertString(client.client_id, '"client.client_id"');
}
function None() {
  return (_as, client, body, _headers) => {
    body.set("client_id", client.client_id);
  };
}
var URLParse = URL.parse ? (url, base) => URL.parse(url, base) : (url, base) => {
  try {
    return new URL(url, base);
  } catch {
    return null;
  }
};
function checkProtocol(url, enforceHttps) {
  if (enforceHttps && url.protocol !== "https:") {
    throw OPE("only requests to HTTPS are allowed", HTTP_REQUEST_FORBIDDEN, url);
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw OPE("only HTTP and HTTPS requests are allowed", REQUEST_PROTOCOL_FORBIDDEN, url);
  }
}
function validateEndpoint(value, endpoint, useMtlsAlias, enforceHttps) {
  let url;
  if (typeof value !== "string" || !(url = URLParse(value))) {
    throw OPE(`authorization server metadata does not contain a valid ${useMtlsAlias ? `"as.mtls_endpoint_aliases.${endpoint}"` : `"as.${endpoint}"`}`, value === void 0 ? MISSING_SERVER_METADATA : INVALID_SERVER_METADATA, { attribute: useMtlsAlias ? `mtls_endpoint_aliases.${endpoint}` : endpoint });
  }
  checkProtocol(url, enforceHttps);
  return url;
}
function resolveEndpoint(as, endpoint, useMtlsAlias, enforceHttps) {
  if (useMtlsAlias && as.mtls_endpoint_aliases && endpoint in as.mtls_endpoint_aliases) {
    return validateEndpoint(as.mtls_endpoint_aliases[endpoint], endpoint, useMtlsAlias, enforceHttps);
  }
  return validateEndpoint(as[endpoint], endpoint, useMtlsAlias, enforceHttps);
}
var ResponseBodyError = class extends Error {
  cause;
  code;
  error;
  status;
  error_description;
  response;
  constructor(message, options) {
    super(message, options);
    this.name = this.constructor.name;
    this.code = RESPONSE_BODY_ERROR;
    this.cause = options.cause;
    this.error = options.cause.error;
    this.status = options.response.status;
    this.error_description = options.cause.error_description;
    Object.defineProperty(this, "response", { enumerable: false, value: options.response });
    Error.captureStackTrace?.(this, this.constructor);
  }
};
var AuthorizationResponseError = class extends Error {
  cause;
  code;
  error;
  error_description;
  constructor(message, options) {
    super(message, options);
    this.name = this.constructor.name;
    this.code = AUTHORIZATION_RESPONSE_ERROR;
    this.cause = options.cause;
    this.error = options.cause.get("error");
    this.error_description = options.cause.get("error_description") ?? void 0;
    Error.captureStackTrace?.(this, this.constructor);
  }
};
var WWWAuthenticateChallengeError = class extends Error {
  cause;
  code;
  response;
  status;
  constructor(message, options) {
    super(message, options);
    this.name = this.constructor.name;
    this.code = WWW_AUTHENTICATE_CHALLENGE;
    this.cause = options.cause;
    this.status = options.response.status;
    this.response = options.response;
    Object.defineProperty(this, "response", { enumerable: false });
    Error.captureStackTrace?.(this, this.constructor);
  }
};
var tokenMatch = "[a-zA-Z0-9!#$%&\\'\\*\\+\\-\\.\\^_`\\|~]+";
var token68Match = "[a-zA-Z0-9\\-\\._\\~\\+\\/]+={0,2}";
var quotedMatch = '"((?:[^"\\\\]|\\\\[\\s\\S])*)"';
var quotedParamMatcher = "(" + tokenMatch + ")\\s*=\\s*" + quotedMatch;
var paramMatcher = "(" + tokenMatch + ")\\s*=\\s*(" + tokenMatch + ")";
var schemeRE = new RegExp("^[,\\s]*(" + tokenMatch + ")");
var quotedParamRE = new RegExp("^[,\\s]*" + quotedParamMatcher + "[,\\s]*(.*)");
var unquotedParamRE = new RegExp("^[,\\s]*" + paramMatcher + "[,\\s]*(.*)");
var token68ParamRE = new RegExp("^(" + token68Match + ")(?:$|[,\\s])(.*)");
function parseWwwAuthenticateChallenges(response) {
  if (!looseInstanceOf(response, Response)) {
    throw CodedTypeError('"response" must be an instance of Response', ERR_INVALID_ARG_TYPE);
  }
  const header = response.headers.get("www-authenticate");
  if (header === null) {
    return void 0;
  }
  const challenges = [];
  let rest = header;
  while (rest) {
    let match = rest.match(schemeRE);
    const scheme = match?.["1"].toLowerCase();
    if (!scheme) {
      return void 0;
    }
    const afterScheme = rest.substring(match[0].length);
    if (afterScheme && !afterScheme.match(/^[\s,]/)) {
      return void 0;
    }
    const spaceMatch = afterScheme.match(/^\s+(.*)$/);
    const hasParameters = !!spaceMatch;
    rest = spaceMatch ? spaceMatch[1] : void 0;
    const parameters = {};
    let token68;
    if (hasParameters) {
      while (rest) {
        let key;
        let value;
        if (match = rest.match(quotedParamRE)) {
          ;
          [, key, value, rest] = match;
          if (value.includes("\\")) {
            value = value.replace(/\\([\s\S])/g, "$1");
          }
          parameters[key.toLowerCase()] = value;
          continue;
        }
        if (match = rest.match(unquotedParamRE)) {
          ;
          [, key, value, rest] = match;
          parameters[key.toLowerCase()] = value;
          continue;
        }
        if (match = rest.match(token68ParamRE)) {
          if (Object.keys(parameters).length) {
            break;
          }
          ;
          [, token68, rest] = match;
          break;
        }
        return void 0;
      }
    } else {
      rest = afterScheme || void 0;
    }
    const challenge = { scheme, parameters };
    if (token68) {
      challenge.token68 = token68;
    }
    challenges.push(challenge);
  }
  if (!challenges.length) {
    return void 0;
  }
  return challenges;
}
async function parseOAuthResponseErrorBody(response) {
  if (response.status > 399 && response.status < 500) {
    assertReadableResponse(response);
    assertApplicationJson(response);
    try {
      const json = await response.clone().json();
      if (isJsonObject(json) && typeof json.error === "string" && json.error.length) {
        return json;
      }
    } catch {
    }
  }
  return void 0;
}
async function checkOAuthBodyError(response, expected, label) {
  if (response.status !== expected) {
    checkAuthenticationChallenges(response);
    let err;
    if (err = await parseOAuthResponseErrorBody(response)) {
      await response.body?.cancel();
      throw new ResponseBodyError("server responded with an error in the response body", {
        cause: err,
        response
      });
    }
    throw OPE(`"response" is not a conform ${label} response (unexpected HTTP status code)`, RESPONSE_IS_NOT_CONFORM, response);
  }
}
function assertDPoP(option) {
  if (!branded.has(option)) {
    throw CodedTypeError('"options.DPoP" is not a valid DPoPHandle', ERR_INVALID_ARG_VALUE);
  }
}
function getContentType(input) {
  return input.headers.get("content-type")?.split(";")[0];
}
async function authenticatedRequest(as, client, clientAuthentication, url, body, headers, options) {
  await clientAuthentication(as, client, body, headers);
  headers.set("content-type", "application/x-www-form-urlencoded;charset=UTF-8");
  return (options?.[customFetch] || fetch)(url.href, {
    body,
    headers: Object.fromEntries(headers.entries()),
    method: "POST",
    redirect: "manual",
    signal: signal(url, options?.signal)
  });
}
async function tokenEndpointRequest(as, client, clientAuthentication, grantType, parameters, options) {
  const url = resolveEndpoint(as, "token_endpoint", client.use_mtls_endpoint_aliases, options?.[allowInsecureRequests] !== true);
  parameters.set("grant_type", grantType);
  const headers = prepareHeaders(options?.headers);
  headers.set("accept", "application/json");
  if (options?.DPoP !== void 0) {
    assertDPoP(options.DPoP);
    await options.DPoP.addProof(url, headers, "POST");
  }
  const response = await authenticatedRequest(as, client, clientAuthentication, url, parameters, headers, options);
  options?.DPoP?.cacheNonce(response, url);
  return response;
}
var idTokenClaims = /* @__PURE__ */ new WeakMap();
var jwtRefs = /* @__PURE__ */ new WeakMap();
function getValidatedIdTokenClaims(ref) {
  if (!ref.id_token) {
    return void 0;
  }
  const claims = idTokenClaims.get(ref);
  if (!claims) {
    throw CodedTypeError('"ref" was already garbage collected or did not resolve from the proper sources', ERR_INVALID_ARG_VALUE);
  }
  return claims;
}
async function processGenericAccessTokenResponse(as, client, response, additionalRequiredIdTokenClaims, decryptFn, recognizedTokenTypes) {
  assertAs(as);
  assertClient(client);
  if (!looseInstanceOf(response, Response)) {
    throw CodedTypeError('"response" must be an instance of Response', ERR_INVALID_ARG_TYPE);
  }
  await checkOAuthBodyError(response, 200, "Token Endpoint");
  assertReadableResponse(response);
  const json = await getResponseJsonBody(response);
  assertString(json.access_token, '"response" body "access_token" property', INVALID_RESPONSE, {
    body: json
  });
  assertString(json.token_type, '"response" body "token_type" property', INVALID_RESPONSE, {
    body: json
  });
  json.token_type = json.token_type.toLowerCase();
  if (json.expires_in !== void 0) {
    let expiresIn = typeof json.expires_in !== "number" ? parseFloat(json.expires_in) : json.expires_in;
    assertNumber(expiresIn, true, '"response" body "expires_in" property', INVALID_RESPONSE, {
      body: json
    });
    json.expires_in = expiresIn;
  }
  if (json.refresh_token !== void 0) {
    assertString(json.refresh_token, '"response" body "refresh_token" property', INVALID_RESPONSE, {
      body: json
    });
  }
  if (json.scope !== void 0 && typeof json.scope !== "string") {
    throw OPE('"response" body "scope" property must be a string', INVALID_RESPONSE, { body: json });
  }
  if (json.id_token !== void 0) {
    assertString(json.id_token, '"response" body "id_token" property', INVALID_RESPONSE, {
      body: json
    });
    const requiredClaims = [];
    if (client.require_auth_time === true) {
      requiredClaims.push("auth_time");
    }
    if (client.default_max_age !== void 0) {
      assertNumber(client.default_max_age, true, '"client.default_max_age"');
      requiredClaims.push("auth_time");
    }
    if (additionalRequiredIdTokenClaims?.length) {
      requiredClaims.push(...additionalRequiredIdTokenClaims);
    }
    const { claims, jwt } = await validateIdTokenClaims(as, client, json.id_token, requiredClaims, decryptFn);
    validateIdTokenAuthorizedParty(client, claims);
    validateIdTokenAuthTimeClaim(claims);
    jwtRefs.set(response, jwt);
    idTokenClaims.set(json, claims);
  }
  if (recognizedTokenTypes?.[json.token_type] !== void 0) {
    recognizedTokenTypes[json.token_type](response, json);
  } else if (json.token_type !== "dpop" && json.token_type !== "bearer") {
    throw new UnsupportedOperationError("unsupported `token_type` value", { cause: { body: json } });
  }
  return json;
}
function checkAuthenticationChallenges(response) {
  let challenges;
  if (challenges = parseWwwAuthenticateChallenges(response)) {
    throw new WWWAuthenticateChallengeError("server responded with a challenge in the WWW-Authenticate HTTP Header", { cause: challenges, response });
  }
}
function validateAudience(expected, result) {
  if (Array.isArray(result.claims.aud)) {
    if (!result.claims.aud.includes(expected)) {
      throw OPE('unexpected JWT "aud" (audience) claim value', JWT_CLAIM_COMPARISON, {
        expected,
        claims: result.claims,
        claim: "aud"
      });
    }
  } else if (result.claims.aud !== expected) {
    throw OPE('unexpected JWT "aud" (audience) claim value', JWT_CLAIM_COMPARISON, {
      expected,
      claims: result.claims,
      claim: "aud"
    });
  }
  return result;
}
function validateIssuer(as, result) {
  const expected = as[_expectedIssuer]?.(result) ?? as.issuer;
  if (result.claims.iss !== expected) {
    throw OPE('unexpected JWT "iss" (issuer) claim value', JWT_CLAIM_COMPARISON, {
      expected,
      claims: result.claims,
      claim: "iss"
    });
  }
  return result;
}
var branded = /* @__PURE__ */ new WeakSet();
function brand(searchParams) {
  branded.add(searchParams);
  return searchParams;
}
var nopkce = /* @__PURE__ */ Symbol();
async function authorizationCodeGrantRequest(as, client, clientAuthentication, callbackParameters, redirectUri, codeVerifier, options) {
  assertAs(as);
  assertClient(client);
  if (!branded.has(callbackParameters)) {
    throw CodedTypeError('"callbackParameters" must be an instance of URLSearchParams obtained from "validateAuthResponse()", or "validateJwtAuthResponse()', ERR_INVALID_ARG_VALUE);
  }
  assertString(redirectUri, '"redirectUri"');
  const code = getURLSearchParameter(callbackParameters, "code");
  if (!code) {
    throw OPE('no authorization code in "callbackParameters"', INVALID_RESPONSE);
  }
  const parameters = new URLSearchParams(options?.additionalParameters);
  parameters.set("redirect_uri", redirectUri);
  parameters.set("code", code);
  if (codeVerifier !== nopkce) {
    assertString(codeVerifier, '"codeVerifier"');
    parameters.set("code_verifier", codeVerifier);
  }
  return tokenEndpointRequest(as, client, clientAuthentication, "authorization_code", parameters, options);
}
var jwtClaimNames = {
  aud: "audience",
  c_hash: "code hash",
  client_id: "client id",
  exp: "expiration time",
  iat: "issued at",
  iss: "issuer",
  jti: "jwt id",
  nonce: "nonce",
  s_hash: "state hash",
  sub: "subject",
  ath: "access token hash",
  htm: "http method",
  htu: "http uri",
  cnf: "confirmation",
  auth_time: "authentication time"
};
function validatePresence(required, result) {
  for (const claim of required) {
    if (result.claims[claim] === void 0) {
      throw OPE(`JWT "${claim}" (${jwtClaimNames[claim]}) claim missing`, INVALID_RESPONSE, {
        claims: result.claims
      });
    }
  }
  return result;
}
function validateStringClaim(claim, result) {
  if (typeof result.claims[claim] !== "string") {
    throw OPE(`unexpected JWT "${claim}" (${jwtClaimNames[claim]}) claim type`, INVALID_RESPONSE, {
      claims: result.claims
    });
  }
  return result;
}
function validateIdTokenClaims(as, client, idToken, requiredClaims, decryptFn) {
  return validateJwt(idToken, checkSigningAlgorithm.bind(void 0, client.id_token_signed_response_alg, as.id_token_signing_alg_values_supported, "RS256"), getClockSkew(client), getClockTolerance(client), decryptFn).then(validatePresence.bind(void 0, ["aud", "exp", "iat", "iss", "sub", ...requiredClaims])).then(validateIssuer.bind(void 0, as)).then(validateAudience.bind(void 0, client.client_id)).then(validateStringClaim.bind(void 0, "sub"));
}
function resolveIdTokenMaxAge(client, maxAge) {
  if (maxAge === skipAuthTimeCheck) {
    return maxAge;
  }
  const fromClient = maxAge === void 0;
  if (fromClient) {
    maxAge = client.default_max_age;
  }
  if (maxAge === void 0) {
    return skipAuthTimeCheck;
  }
  assertNumber(maxAge, true, fromClient ? '"client.default_max_age"' : '"maxAge" argument');
  return maxAge;
}
function validateIdTokenAuthTimeClaim(claims) {
  if (claims.auth_time !== void 0) {
    assertNumber(claims.auth_time, true, 'ID Token "auth_time" (authentication time)', INVALID_RESPONSE, { claims });
  }
}
function validateIdTokenAuthTime(client, claims, maxAge) {
  if (maxAge === skipAuthTimeCheck) {
    return;
  }
  const now = epochTime() + getClockSkew(client);
  const tolerance = getClockTolerance(client);
  if (claims.auth_time + maxAge < now - tolerance) {
    throw OPE("too much time has elapsed since the last End-User authentication", JWT_TIMESTAMP_CHECK, { claims, now, tolerance, claim: "auth_time" });
  }
}
function validateIdTokenNonce(claims, expectedNonce) {
  const expected = expectedNonce === expectNoNonce ? void 0 : expectedNonce;
  if (claims.nonce !== expected) {
    throw OPE('unexpected ID Token "nonce" claim value', JWT_CLAIM_COMPARISON, {
      expected,
      claims,
      claim: "nonce"
    });
  }
}
function validateIdTokenAuthorizedParty(client, claims) {
  if (Array.isArray(claims.aud) && claims.aud.length !== 1) {
    if (claims.azp === void 0) {
      throw OPE('ID Token "aud" (audience) claim includes additional untrusted audiences', JWT_CLAIM_COMPARISON, { claims, claim: "aud" });
    }
    if (claims.azp !== client.client_id) {
      throw OPE('unexpected ID Token "azp" (authorized party) claim value', JWT_CLAIM_COMPARISON, {
        expected: client.client_id,
        claims,
        claim: "azp"
      });
    }
  }
}
var expectNoNonce = /* @__PURE__ */ Symbol();
var skipAuthTimeCheck = /* @__PURE__ */ Symbol();
async function processAuthorizationCodeResponse(as, client, response, options) {
  if (typeof options?.expectedNonce === "string" || typeof options?.maxAge === "number" || options?.requireIdToken) {
    return processAuthorizationCodeOpenIDResponse(as, client, response, options.expectedNonce, options.maxAge, options[jweDecrypt], options.recognizedTokenTypes);
  }
  return processAuthorizationCodeOAuth2Response(as, client, response, options?.maxAge, options?.[jweDecrypt], options?.recognizedTokenTypes);
}
async function processAuthorizationCodeOpenIDResponse(as, client, response, expectedNonce, maxAge, decryptFn, recognizedTokenTypes) {
  const additionalRequiredClaims = [];
  switch (expectedNonce) {
    case void 0:
      expectedNonce = expectNoNonce;
      break;
    case expectNoNonce:
      break;
    default:
      assertString(expectedNonce, '"expectedNonce" argument');
      additionalRequiredClaims.push("nonce");
  }
  maxAge = resolveIdTokenMaxAge(client, maxAge);
  if (maxAge !== skipAuthTimeCheck) {
    additionalRequiredClaims.push("auth_time");
  }
  const result = await processGenericAccessTokenResponse(as, client, response, additionalRequiredClaims, decryptFn, recognizedTokenTypes);
  assertString(result.id_token, '"response" body "id_token" property', INVALID_RESPONSE, {
    body: result
  });
  const claims = getValidatedIdTokenClaims(result);
  validateIdTokenAuthTime(client, claims, maxAge);
  validateIdTokenNonce(claims, expectedNonce);
  return result;
}
async function processAuthorizationCodeOAuth2Response(as, client, response, maxAge, decryptFn, recognizedTokenTypes) {
  const result = await processGenericAccessTokenResponse(as, client, response, void 0, decryptFn, recognizedTokenTypes);
  const claims = getValidatedIdTokenClaims(result);
  if (claims) {
    validateIdTokenAuthTime(client, claims, resolveIdTokenMaxAge(client, maxAge));
    validateIdTokenNonce(claims, expectNoNonce);
  }
  return result;
}
var WWW_AUTHENTICATE_CHALLENGE = "OAUTH_WWW_AUTHENTICATE_CHALLENGE";
var RESPONSE_BODY_ERROR = "OAUTH_RESPONSE_BODY_ERROR";
var UNSUPPORTED_OPERATION = "OAUTH_UNSUPPORTED_OPERATION";
var AUTHORIZATION_RESPONSE_ERROR = "OAUTH_AUTHORIZATION_RESPONSE_ERROR";
var PARSE_ERROR = "OAUTH_PARSE_ERROR";
var INVALID_RESPONSE = "OAUTH_INVALID_RESPONSE";
var RESPONSE_IS_NOT_JSON = "OAUTH_RESPONSE_IS_NOT_JSON";
var RESPONSE_IS_NOT_CONFORM = "OAUTH_RESPONSE_IS_NOT_CONFORM";
var HTTP_REQUEST_FORBIDDEN = "OAUTH_HTTP_REQUEST_FORBIDDEN";
var REQUEST_PROTOCOL_FORBIDDEN = "OAUTH_REQUEST_PROTOCOL_FORBIDDEN";
var JWT_TIMESTAMP_CHECK = "OAUTH_JWT_TIMESTAMP_CHECK_FAILED";
var JWT_CLAIM_COMPARISON = "OAUTH_JWT_CLAIM_COMPARISON_FAILED";
var MISSING_SERVER_METADATA = "OAUTH_MISSING_SERVER_METADATA";
var INVALID_SERVER_METADATA = "OAUTH_INVALID_SERVER_METADATA";
function assertReadableResponse(response) {
  if (response.bodyUsed) {
    throw CodedTypeError('"response" body has been used already', ERR_INVALID_ARG_VALUE);
  }
}
async function validateJwt(jws, checkAlg, clockSkew2, clockTolerance2, decryptJwt) {
  let { 0: protectedHeader, 1: payload, length } = jws.split(".");
  if (length === 5) {
    if (decryptJwt !== void 0) {
      jws = await decryptJwt(jws);
      ({ 0: protectedHeader, 1: payload, length } = jws.split("."));
    } else {
      throw new UnsupportedOperationError("JWE decryption is not configured", { cause: jws });
    }
  }
  if (length !== 3) {
    throw OPE("Invalid JWT", INVALID_RESPONSE, jws);
  }
  let header;
  try {
    header = JSON.parse(buf(b64u(protectedHeader)));
  } catch (cause) {
    throw OPE("failed to parse JWT Header body as base64url encoded JSON", PARSE_ERROR, cause);
  }
  if (!isJsonObject(header)) {
    throw OPE("JWT Header must be a top level object", INVALID_RESPONSE, jws);
  }
  checkAlg(header);
  if (header.crit !== void 0) {
    throw new UnsupportedOperationError('no JWT "crit" header parameter extensions are supported', {
      cause: { header }
    });
  }
  let claims;
  try {
    claims = JSON.parse(buf(b64u(payload)));
  } catch (cause) {
    throw OPE("failed to parse JWT Payload body as base64url encoded JSON", PARSE_ERROR, cause);
  }
  if (!isJsonObject(claims)) {
    throw OPE("JWT Payload must be a top level object", INVALID_RESPONSE, jws);
  }
  const now = epochTime() + clockSkew2;
  if (claims.exp !== void 0) {
    if (typeof claims.exp !== "number") {
      throw OPE('unexpected JWT "exp" (expiration time) claim type', INVALID_RESPONSE, { claims });
    }
    if (claims.exp <= now - clockTolerance2) {
      throw OPE('unexpected JWT "exp" (expiration time) claim value, expiration is past current timestamp', JWT_TIMESTAMP_CHECK, { claims, now, tolerance: clockTolerance2, claim: "exp" });
    }
  }
  if (claims.iat !== void 0) {
    if (typeof claims.iat !== "number") {
      throw OPE('unexpected JWT "iat" (issued at) claim type', INVALID_RESPONSE, { claims });
    }
  }
  if (claims.iss !== void 0) {
    if (typeof claims.iss !== "string") {
      throw OPE('unexpected JWT "iss" (issuer) claim type', INVALID_RESPONSE, { claims });
    }
  }
  if (claims.nbf !== void 0) {
    if (typeof claims.nbf !== "number") {
      throw OPE('unexpected JWT "nbf" (not before) claim type', INVALID_RESPONSE, { claims });
    }
    if (claims.nbf > now + clockTolerance2) {
      throw OPE('unexpected JWT "nbf" (not before) claim value', JWT_TIMESTAMP_CHECK, {
        claims,
        now,
        tolerance: clockTolerance2,
        claim: "nbf"
      });
    }
  }
  if (claims.aud !== void 0) {
    if (typeof claims.aud !== "string" && !Array.isArray(claims.aud)) {
      throw OPE('unexpected JWT "aud" (audience) claim type', INVALID_RESPONSE, { claims });
    }
  }
  return { header, claims, jwt: jws };
}
function checkSigningAlgorithm(client, issuer, fallback, header) {
  if (client !== void 0) {
    if (typeof client === "string" ? header.alg !== client : !client.includes(header.alg)) {
      throw OPE('unexpected JWT "alg" header parameter', INVALID_RESPONSE, {
        header,
        expected: client,
        reason: "client configuration"
      });
    }
    return;
  }
  if (Array.isArray(issuer)) {
    if (!issuer.includes(header.alg)) {
      throw OPE('unexpected JWT "alg" header parameter', INVALID_RESPONSE, {
        header,
        expected: issuer,
        reason: "authorization server metadata"
      });
    }
    return;
  }
  if (fallback !== void 0) {
    if (typeof fallback === "string" ? header.alg !== fallback : typeof fallback === "function" ? !fallback(header.alg) : !fallback.includes(header.alg)) {
      throw OPE('unexpected JWT "alg" header parameter', INVALID_RESPONSE, {
        header,
        expected: fallback,
        reason: "default value"
      });
    }
    return;
  }
  throw OPE('missing client or server configuration to verify used JWT "alg" header parameter', void 0, { client, issuer, fallback });
}
function getURLSearchParameter(parameters, name) {
  const { 0: value, length } = parameters.getAll(name);
  if (length > 1) {
    throw OPE(`"${name}" parameter must be provided only once`, INVALID_RESPONSE);
  }
  return value;
}
var skipStateCheck = /* @__PURE__ */ Symbol();
var expectNoState = /* @__PURE__ */ Symbol();
function validateAuthResponse(as, client, parameters, expectedState) {
  assertAs(as);
  assertClient(client);
  if (parameters instanceof URL) {
    parameters = parameters.searchParams;
  }
  if (!(parameters instanceof URLSearchParams)) {
    throw CodedTypeError('"parameters" must be an instance of URLSearchParams, or URL', ERR_INVALID_ARG_TYPE);
  }
  if (getURLSearchParameter(parameters, "response")) {
    throw OPE('"parameters" contains a JARM response, use validateJwtAuthResponse() instead of validateAuthResponse()', INVALID_RESPONSE, { parameters });
  }
  const iss = getURLSearchParameter(parameters, "iss");
  const state = getURLSearchParameter(parameters, "state");
  if (!iss && as.authorization_response_iss_parameter_supported) {
    throw OPE('response parameter "iss" (issuer) missing', INVALID_RESPONSE, { parameters });
  }
  if (iss && iss !== as.issuer) {
    throw OPE('unexpected "iss" (issuer) response parameter value', INVALID_RESPONSE, {
      expected: as.issuer,
      parameters
    });
  }
  switch (expectedState) {
    case void 0:
    case expectNoState:
      if (state !== void 0) {
        throw OPE('unexpected "state" response parameter encountered', INVALID_RESPONSE, {
          expected: void 0,
          parameters
        });
      }
      break;
    case skipStateCheck:
      break;
    default:
      assertString(expectedState, '"expectedState" argument');
      if (state !== expectedState) {
        throw OPE(state === void 0 ? 'response parameter "state" missing' : 'unexpected "state" response parameter value', INVALID_RESPONSE, { expected: expectedState, parameters });
      }
  }
  const error = getURLSearchParameter(parameters, "error");
  if (error) {
    throw new AuthorizationResponseError("authorization response from the server is an error", {
      cause: parameters
    });
  }
  const id_token = getURLSearchParameter(parameters, "id_token");
  const token = getURLSearchParameter(parameters, "token");
  if (id_token !== void 0 || token !== void 0) {
    throw new UnsupportedOperationError("implicit and hybrid flows are not supported");
  }
  return brand(new URLSearchParams(parameters));
}
async function getResponseJsonBody(response, check = assertApplicationJson) {
  let json;
  try {
    json = await response.json();
  } catch (cause) {
    check(response);
    throw OPE('failed to parse "response" body as JSON', PARSE_ERROR, cause);
  }
  if (!isJsonObject(json)) {
    throw OPE('"response" body must be a top level object', INVALID_RESPONSE, { body: json });
  }
  return json;
}
var _expectedIssuer = /* @__PURE__ */ Symbol();

// src/signing_in.ts
var PENDING = "signing-in";
var SIGNED_OUT = "?signed-out";
async function signIn(hosted2) {
  const pending = {
    verifier: generateRandomCodeVerifier(),
    state: generateRandomState(),
    nonce: generateRandomNonce(),
    hash: location.hash
  };
  sessionStorage.setItem(PENDING, JSON.stringify(pending));
  const query2 = new URLSearchParams({
    response_type: "code",
    client_id: hosted2.client,
    redirect_uri: returnAddress(),
    scope: "openid email",
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: "S256"
  });
  location.assign(`${hosted2.sign_in}/oauth2/authorize?${query2}`);
}
function signOut(hosted2) {
  forgetSession();
  const query2 = new URLSearchParams({ client_id: hosted2.client, logout_uri: `${returnAddress()}${SIGNED_OUT}` });
  location.assign(`${hosted2.sign_in}/logout?${query2}`);
}
function signedOutAddress() {
  return `/${SIGNED_OUT}${location.hash}`;
}
function errorWithoutState() {
  const query2 = new URL(location.href).searchParams;
  if (query2.has("state") || !query2.has("error")) return "";
  const code = /^[a-z_]{1,40}$/.exec(query2.get("error") ?? "")?.[0] ?? "unknown";
  return `The sign-in page refused the request (error ${code}).`;
}
async function finishSigningIn(hosted2) {
  const address = new URL(location.href);
  if (!address.searchParams.has("state")) return;
  const pending = JSON.parse(sessionStorage.getItem(PENDING) ?? "null");
  sessionStorage.removeItem(PENDING);
  history.replaceState(null, "", `/${pending?.hash ?? ""}`);
  if (pending) keepSession(await redeem(hosted2, address, pending));
}
async function redeem(hosted2, address, pending) {
  const issuer = {
    issuer: `https://${hosted2.user_pool}`,
    token_endpoint: `${hosted2.sign_in}/oauth2/token`
  };
  const client = { client_id: hosted2.client };
  const given = validateAuthResponse(issuer, client, address, pending.state);
  const answer2 = await authorizationCodeGrantRequest(
    issuer,
    client,
    None(),
    given,
    returnAddress(),
    pending.verifier
  );
  const received = Date.now();
  const ahead2 = answer2.ok ? issuedAt(await answer2.clone().json()) - received : 0;
  const tokens = await processAuthorizationCodeResponse(
    issuer,
    { ...client, [clockSkew]: Math.round(ahead2 / 1e3) },
    answer2,
    { expectedNonce: pending.nonce, requireIdToken: true }
  );
  const claims = getValidatedIdTokenClaims(tokens);
  if (!claims || !tokens.id_token) throw new Error("The sign-in page returned no ID token.");
  return {
    token: tokens.id_token,
    person: claims.sub,
    name: typeof claims.email === "string" ? claims.email : claims.sub,
    expires: claims.exp * 1e3 - ahead2,
    ahead: ahead2
  };
}
function issuedAt(answer2) {
  const claims = (answer2.id_token ?? "").split(".")[1] ?? "";
  const text = atob(claims.replaceAll("-", "+").replaceAll("_", "/"));
  return JSON.parse(text || "{}").iat * 1e3;
}
function returnAddress() {
  return `${location.origin}/`;
}

// node_modules/preact/jsx-runtime/dist/jsxRuntime.mjs
var f3 = /* @__PURE__ */ Symbol.for("pv");
var o3 = 0;
function a3(t3, e3, n2, u3, a4, i3) {
  e3 || (e3 = {});
  var c3, l3, p3 = e3;
  if ("ref" in p3 && "function" != typeof t3) for (l3 in p3 = {}, e3) "ref" == l3 ? c3 = e3[l3] : p3[l3] = e3[l3];
  var s3 = { type: t3, props: p3, key: n2, ref: c3, __k: null, __: null, __b: 0, __e: null, __c: null, constructor: f3, __v: --o3, __i: -1, __u: 0 };
  return (a4 || i3) && (s3.__source = a4, s3.__self = i3), n.vnode && n.vnode(s3), s3;
}

// src/account.tsx
var PAUSE = 1e3;
function useSession(person2) {
  const [session, setSession] = d2(currentSession);
  A2(() => {
    const look = () => {
      const now = currentSession();
      if (isSignedOut()) leave(() => location.replace(signedOutAddress()));
      if (now && now.person !== person2) leave(() => location.reload());
      setSession((before) => before?.token === now?.token ? before : now);
    };
    const timer = window.setInterval(look, PAUSE);
    const unhear = onOtherTabs(look);
    return () => {
      clearInterval(timer);
      unhear();
    };
  }, [person2]);
  return session?.person === person2 ? session : null;
}
function leave(to) {
  Q(null, document.body);
  to();
}
function Account({ hosted: hosted2, person: person2 }) {
  const session = useSession(person2);
  if (!session) return null;
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("span", { class: "quiet me", title: session.person, children: session.name }),
    /* @__PURE__ */ a3("button", { type: "button", onClick: () => leave(() => signOut(hosted2)), children: "Sign out" })
  ] });
}
function Ended({ person: person2 }) {
  if (useSession(person2)) return null;
  return /* @__PURE__ */ a3("p", { class: "trouble", role: "alert", children: [
    /* @__PURE__ */ a3("strong", { children: "Your session has ended." }),
    " ",
    /* @__PURE__ */ a3("a", { href: location.href, target: "_blank", rel: "noopener noreferrer", children: "Sign in in a new tab" }),
    ", then return here. Your entries stay."
  ] });
}
function SignedOut({ hosted: hosted2, problem }) {
  return /* @__PURE__ */ a3("main", { class: "signed-out", children: [
    /* @__PURE__ */ a3("h1", { children: "SageQueue" }),
    problem && /* @__PURE__ */ a3("p", { class: "trouble", role: "alert", children: [
      /* @__PURE__ */ a3("strong", { children: "The sign-in failed." }),
      " ",
      problem
    ] }),
    /* @__PURE__ */ a3("button", { type: "button", onClick: () => signIn(hosted2), children: "Sign in" })
  ] });
}

// src/contract.ts
var QUEUED = /* @__PURE__ */ new Set(["pending", "preempted"]);
var LIVE = /* @__PURE__ */ new Set(["launching", "running", "stopping"]);
var ENDED = /* @__PURE__ */ new Set(["completed", "failed", "stopped"]);

// src/entering.ts
var KEY2 = "pass";
var LINK = "#link=";
async function enter() {
  if (!location.hash.startsWith(LINK)) return;
  const link = location.hash.slice(LINK.length);
  const answer2 = await fetch("/api/enter", { method: "POST", body: link }).catch(() => null);
  if (!answer2) return;
  history.replaceState(null, "", "#/now");
  if (answer2.ok) localStorage.setItem(KEY2, (await answer2.json()).pass);
}
function proof() {
  return { Authorization: `Bearer ${localStorage.getItem(KEY2) ?? ""}` };
}

// src/refusal.ts
var Refusal = class extends Error {
  code;
  remedy;
  /** Of a refused configuration. */
  problems;
  /** Of a refused request: the member that it is refused for. */
  field;
  /** The rules that a request breaks. */
  violations;
  constructor(code, message, remedy, details = {}) {
    super(message);
    this.code = code;
    this.remedy = remedy;
    this.problems = details.problems ?? [];
    this.field = details.field ?? null;
    this.violations = details.violations ?? [];
  }
};
function refusalOf(cause) {
  return cause instanceof Refusal ? cause : new Refusal("unexpected", String(cause), "Reload the page.");
}

// src/server.ts
var LONGEST_READ = 45e3;
async function read(path, query2 = {}) {
  return call("GET", addressOf(path, query2));
}
async function change(path, body, query2 = {}) {
  return call("POST", addressOf(path, query2), body && JSON.stringify(body));
}
async function sendText(method, path, text, query2 = {}) {
  return call(method, addressOf(path, query2), text);
}
function addressOf(path, query2) {
  const given = Object.entries(query2).filter((pair) => Boolean(pair[1]));
  return given.length ? `${path}?${new URLSearchParams(given)}` : path;
}
function ofJob(name, call2 = "") {
  return `jobs/${encodeURIComponent(name)}${call2 && `/${call2}`}`;
}
var transport = callOwnServer;
function callThrough(other) {
  transport = other;
}
async function call(method, address, body) {
  const signal2 = method === "GET" ? AbortSignal.timeout(LONGEST_READ) : null;
  return await transport(method, address, body ?? null, signal2);
}
async function callOwnServer(method, address, body, signal2) {
  const answer2 = await fetch(`/api/${address}`, { method, headers: proof(), signal: signal2, body }).catch(() => {
    throw new Refusal("no_server", "The page's server does not answer.", "Start `sagequeue ui` again.");
  });
  const content = await answer2.json();
  if (!answer2.ok) throw new Refusal(content.error, content.message, content.remedy, content);
  return content;
}

// src/actions.ts
var VERBS = {
  approve: { label: "Approve", key: "a", meaning: "let it start although it is above a limit" },
  top: { label: "To the top", key: "t", meaning: "move ahead of all other waiting jobs of its priority" },
  priority: { label: "Priority\u2026", key: "p", meaning: "higher starts first" },
  hold: { label: "Hold", key: "h", meaning: "keep it from starting until it is released; it keeps its age" },
  release: { label: "Release", key: "r", meaning: "put it back into the queue" },
  requeue: { label: "Queue again", key: "q", meaning: "stop it and queue it again, or retry it" },
  cancel: { label: "Cancel\u2026", key: "c", meaning: "remove it from the queue, or stop it" }
};
var DONE = {
  approve: "approved",
  top: "moved to the top",
  priority: "now with priority",
  hold: "held",
  release: "released",
  requeue: "queued again",
  cancel: "cancelled"
};
function against(verb, job, me) {
  return againstState(verb, job) ?? (verb === "approve" ? againstApprover(me) : againstCaller(job, me));
}
function againstState(verb, job) {
  const waits = QUEUED.has(job.state);
  const is = `${job.name} is ${job.state}`;
  switch (verb) {
    case "approve":
      return needsApproval(job) ? null : `${job.name} needs no approval.`;
    case "top":
      return waits ? null : `${is}; only waiting jobs can move to the top.`;
    case "hold":
      return waits ? null : `${is}; only waiting jobs can be held.`;
    case "release":
      return job.state === "held" ? null : `${is}; only held jobs can be released.`;
    case "priority":
      return ENDED.has(job.state) ? `${is}; ended jobs cannot be changed.` : null;
    case "cancel":
      return ENDED.has(job.state) ? `${is}; ended jobs cannot be changed.` : null;
    case "requeue":
      return waits || job.state === "held" || job.state === "completed" ? `${is}; only running, failed, stopped and parked jobs can be queued again.` : null;
  }
}
function needsApproval(job) {
  return job.state === "parked" && job.reason.code === "needs_approval";
}
function againstApprover(me) {
  return me === null || me.verbs.includes("operate") ? null : "Only operators can approve jobs.";
}
function againstCaller(job, me) {
  if (job.may_control) return null;
  if (!mayControl(me)) return "You have read access only; an operator can grant you more.";
  return `${job.name} belongs to another caller; its owner or an operator can do this.`;
}
function maySubmit(me) {
  return me === null || me.verbs.includes("submit");
}
function mayControl(me) {
  return me === null || ["operate", "control_team", "control_own"].some((verb) => me.verbs.includes(verb));
}
async function act(verb, job, priority) {
  if (priority !== void 0) return change(ofJob(job.name, "update"), { options: { priority } });
  return change(ofJob(job.name, verb), bodyOf(verb, job));
}
function bodyOf(verb, job) {
  if (verb === "approve") return { max_runtime: longestLimit(job) };
  return verb === "requeue" ? { attempt: latestAttempt(job) } : void 0;
}
function latestAttempt(job) {
  return job.attempts.at(-1)?.number ?? 0;
}
function longestLimit(job) {
  return Math.max(job.max_runtime, ...job.choices.map((choice) => choice.max_runtime));
}
function undoing(verb, before) {
  switch (verb) {
    case "hold":
      return { label: "Undo", verb: "release" };
    case "release":
      return { label: "Undo", verb: "hold" };
    case "priority":
      return { label: "Undo", verb: "priority", priority: before.priority };
    case "cancel":
      return LIVE.has(before.state) ? null : { label: "Queue again", verb: "requeue" };
    default:
      return null;
  }
}

// src/names.ts
var PERSON = /^arn:aws[a-z-]*:sts::\d{12}:person\/[^/:]+\/([0-9a-f-]{36})$/;
var IN_TEXT = /(?<!\S)arn:aws[a-z-]*:sts::\d{12}:person\/[^\s/:]+\/[0-9a-f-]{36}(?![^\s.,;])/g;
var known = {};
function keepNames(names) {
  known = names;
}
function nameOf(arn) {
  const id = PERSON.exec(arn)?.[1];
  if (!id) return null;
  return Object.hasOwn(known, id) ? known[id] ?? id : id;
}
function withNames(message) {
  return message.replace(IN_TEXT, (arn) => nameOf(arn) ?? arn);
}

// src/words.ts
function span(milliseconds) {
  const seconds = Math.max(0, Math.round(milliseconds / 1e3));
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10 && seconds % 60) return `${minutes} min ${seconds % 60} s`;
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 ? `${hours} h ${String(minutes % 60).padStart(2, "0")} min` : `${hours} h`;
  return hours % 24 ? `${Math.floor(hours / 24)} d ${hours % 24} h` : `${hours / 24} d`;
}
function since(time2, now) {
  return span(now - Date.parse(time2));
}
function saves(job, now) {
  const attempt = job.attempts.at(-1);
  if (!attempt || attempt.ended_at || !job.has_checkpoints) return "";
  const { saved } = attempt;
  const last = saved ? `last saved ${since(saved.saved_at, now)} ago (step ${saved.step.toLocaleString("en-US")})` : "none reported";
  return `${last}; ${noticeOf(attempt)}`;
}
function noticeOf(attempt) {
  if (attempt.listens) return "the program reads stop notices";
  if (attempt.takes_notice) return "the program has not reported that it reads stop notices, see sagequeue doctor";
  return "this attempt gets no stop notice";
}
function clock(time2, now = Date.now()) {
  const moment = new Date(time2);
  const hours = moment.toLocaleTimeString("en-GB");
  return new Date(now).toDateString() === moment.toDateString() ? hours : `${day(moment)} ${hours}`;
}
function day(moment) {
  const two = (part) => String(part).padStart(2, "0");
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}
function instances(job) {
  return told(job.instances, job.preferences?.length ? " or " : " + ");
}
function told(wanted, among = " + ") {
  return Object.entries(wanted).map(([kind, count]) => `${count} \xD7 ${kind}`).join(among);
}
function total(wanted) {
  return Object.values(wanted).reduce((sum2, count) => sum2 + count, 0);
}
function person(arn) {
  const name = nameOf(arn);
  if (name !== null) return name;
  const caller = arn.split(":").slice(5).join(":");
  const isLikePerson = caller.startsWith("user/") && caller.includes("@");
  return (isLikePerson ? caller : caller.replace(/^(assumed-role|user)\//, "")) || arn;
}
function start(starts, now) {
  if (!starts?.earliest) return "unknown";
  const soonest = ahead(starts.earliest, now);
  if (!starts.latest) return `in ${soonest} or later`;
  const longest = ahead(starts.latest, now);
  if (longest === "0 s") return "now";
  return soonest === longest ? `in ${soonest}` : `in ${soonest} to ${longest}`;
}
function ahead(time2, now) {
  return span(Date.parse(time2) - now);
}
function plural(count, one, many = `${one}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
function why(job, now) {
  const attempt = job.attempts.at(-1);
  if (LIVE.has(job.state) && job.reason.code === "running" && attempt) {
    const began = attempt.training_started_at;
    if (began) return `running ${span(now - Date.parse(began))} of ${span(job.max_runtime * 1e3)}`;
    const said2 = attempt.message || attempt.secondary_status;
    if (said2) return said2;
  }
  return withNames(job.reason.message) || job.reason.code.replaceAll("_", " ");
}

// src/batches.tsx
var PAUSE2 = 400;
function useBatches(notes, look) {
  const [running, setRunning] = d2([]);
  const looking = T2(look);
  looking.current = look;
  const followToEnd = b(async (batch, before) => {
    let seen = batch;
    try {
      while (!seen.is_over) {
        const shown = seen;
        setRunning((all) => [...all.filter((one) => one.id !== shown.id), shown]);
        await new Promise((later) => setTimeout(later, PAUSE2));
        seen = await read(`batches/${seen.id}`);
      }
      tellEnd(seen, notes, wayBack(seen, before));
    } catch (cause) {
      notes.refuse(VERBS[seen.verb].label, cause);
    }
    setRunning((all) => all.filter((one) => one.id !== seen.id));
    looking.current();
  }, []);
  const begin = b(async (verb, jobs, priority) => {
    const names = jobs.map((job) => job.name);
    const attempts = Object.fromEntries(jobs.map((job) => [job.name, latestAttempt(job)]));
    const more = { ...priority !== void 0 && { priority }, ...verb === "requeue" && { attempts } };
    try {
      const batch = await change("batches", { verb, names, ...more });
      void followToEnd(batch, jobs);
    } catch (cause) {
      notes.refuse(VERBS[verb].label, cause);
    }
  }, []);
  function wayBack(batch, before) {
    const changed = new Set(batch.changed);
    const groups = /* @__PURE__ */ new Map();
    for (const job of before) {
      const undo = changed.has(job.name) ? undoing(batch.verb, job) : null;
      if (!undo) continue;
      const key = `${undo.verb} ${undo.priority}`;
      groups.set(key, { undo, jobs: [...groups.get(key)?.jobs ?? [], job] });
    }
    const [first] = groups.values();
    if (!first) return null;
    function take() {
      for (const { undo, jobs } of groups.values()) void begin(undo.verb, jobs, undo.priority);
    }
    return { label: first.undo.label, take };
  }
  A2(() => {
    read("batches").then(
      ({ batches }) => {
        for (const batch of batches) if (!batch.is_over) void followToEnd(batch, []);
      },
      () => {
      }
      // the page's other calls show the error
    );
  }, []);
  function stop(id) {
    change(`batches/${id}/stop`).catch((cause) => notes.refuse("Stop", cause));
  }
  return { running, start: begin, stop };
}
function tellEnd(batch, notes, way) {
  const changed = batch.changed.length;
  const count = changed === batch.total ? plural(changed, "job") : `${changed} of ${plural(batch.total, "job")}`;
  const value = batch.verb === "priority" ? ` ${batch.priority}` : "";
  if (changed || !batch.refused.length) notes.tell(`${count} ${DONE[batch.verb]}${value}`, way);
  const [first, ...others] = batch.refused;
  if (first) {
    const more = others.length ? ` (and ${plural(others.length, "further job")})` : "";
    notes.refuse(`${first.name}${more}`, new Error(first.message));
  }
  if (batch.error) notes.refuse(VERBS[batch.verb].label, new Error(batch.error));
}
function BatchProgress({ batches, isHosted }) {
  const mustStay = isHosted && batches.running.length > 0;
  F2(() => {
    if (!mustStay) return;
    const askFirst = (event) => event.preventDefault();
    addEventListener("beforeunload", askFirst);
    return () => removeEventListener("beforeunload", askFirst);
  }, [mustStay]);
  if (!batches.running.length) return null;
  return /* @__PURE__ */ a3("section", { class: "batches", "aria-label": "Bulk actions", children: batches.running.map((batch) => /* @__PURE__ */ a3("p", { children: [
    /* @__PURE__ */ a3("progress", { "aria-label": VERBS[batch.verb].label, max: batch.total, value: handled(batch) }),
    /* @__PURE__ */ a3("span", { children: [
      VERBS[batch.verb].label.replace("\u2026", ""),
      ": ",
      handled(batch),
      " of ",
      plural(batch.total, "job"),
      batch.is_stopping && ", stops after the current call"
    ] }),
    /* @__PURE__ */ a3("span", { class: "quiet", children: isHosted ? "Keep this tab open." : "It goes on if you close this tab." }),
    /* @__PURE__ */ a3("button", { type: "button", "aria-disabled": batch.is_stopping, onClick: () => batches.stop(batch.id), children: "Stop" })
  ] }, batch.id)) });
}
function handled(batch) {
  return batch.changed.length + batch.refused.length;
}

// src/freshness.ts
var LATE = 1e4;
var HUNG = 2e4;
var followed = /* @__PURE__ */ new Set();
var visibleSince = 0;
document.addEventListener("visibilitychange", () => {
  visibleSince = Date.now();
});
function follow(one) {
  followed.add(one);
  return () => followed.delete(one);
}
function oldest() {
  return oldestOf((one) => one.hasAnswered || !one.isRefused);
}
function oldestUnrefused() {
  return oldestOf((one) => !one.isRefused);
}
function oldestOf(counts) {
  const all = [...followed].filter(counts).sort((one, other) => one.updated - other.updated);
  return all[0] ?? null;
}
function ageOf(one, now) {
  return now - Math.max(one.updated, visibleSince);
}
function useNow(every = 1e3) {
  const [now, setNow] = d2(Date.now());
  A2(() => {
    const timer = window.setInterval(() => setNow(freshNow), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}
function useClock() {
  const [now, setNow] = d2(Date.now());
  A2(() => {
    const timer = window.setInterval(() => setNow(Date.now()), 1e3);
    return () => clearInterval(timer);
  }, []);
  return now;
}
function freshNow() {
  const last = oldest();
  const now = Date.now();
  return last?.hasAnswered ? Math.min(now, last.updated + LATE) : now;
}

// src/week.ts
var DAY = 864e5;
var DAYS = 7;
function weekOf(periods, now) {
  const until = now + DAYS * DAY;
  const strips = /* @__PURE__ */ new Map();
  for (const [number, period] of periods.entries()) {
    const from = Math.max(now, Date.parse(period.begins));
    const end = Math.min(until, Date.parse(periods[number + 1]?.begins ?? "") || until);
    if (end <= from) continue;
    for (const kind of kinds(periods)) {
      const strip = strips.get(kind) ?? [];
      const instances2 = period.budget[kind] ?? 0;
      const last = strip.at(-1);
      if (last?.instances === instances2) last.until = end;
      else strip.push({ from, until: end, instances: instances2, windows: period.windows });
      strips.set(kind, strip);
    }
  }
  return { from: now, until, strips };
}
function midnights({ from, until }) {
  const first = new Date(from);
  const all = Array.from({ length: DAYS + 1 }, (_4, day2) => {
    return new Date(first.getFullYear(), first.getMonth(), first.getDate() + day2 + 1);
  });
  return all.filter((moment) => moment.getTime() < until);
}
function kinds(periods) {
  return [...new Set(periods.flatMap((period) => Object.keys(period.budget)))];
}

// src/week_strip.tsx
var WHEN = new Intl.DateTimeFormat("en-GB", { weekday: "short", hour: "2-digit", minute: "2-digit" });
var WEEKDAY = new Intl.DateTimeFormat("en-GB", { weekday: "short" });
function WeekStrip({ periods, now }) {
  const week = weekOf(periods, now);
  if (![...week.strips.values()].some((strip) => strip.length > 1))
    return /* @__PURE__ */ a3("p", { class: "nothing quiet", children: "The budget does not change in the coming seven days." });
  return /* @__PURE__ */ a3("div", { class: "week", children: [
    [...week.strips].map(([kind, strip]) => /* @__PURE__ */ a3("div", { class: "week-row", children: [
      /* @__PURE__ */ a3("span", { class: "week-kind", children: kind }),
      /* @__PURE__ */ a3(Strip, { kind, strip, week })
    ] }, kind)),
    /* @__PURE__ */ a3("div", { class: "week-row", "aria-hidden": "true", children: [
      /* @__PURE__ */ a3("span", {}),
      /* @__PURE__ */ a3("div", { class: "week-days", children: midnights(week).map((moment) => /* @__PURE__ */ a3("span", { style: { left: `${share(week, moment.getTime())}%` }, children: WEEKDAY.format(moment) }, moment.getTime())) })
    ] })
  ] });
}
function Strip({ kind, strip, week }) {
  const most = Math.max(1, ...strip.map((segment) => segment.instances));
  const told2 = strip.map(
    ({ from, instances: instances2 }, number) => number ? `from ${WHEN.format(from)} ${instances2}` : `now ${instances2}`
  );
  return /* @__PURE__ */ a3("div", { class: "week-field", role: "img", "aria-label": `Budget of ${kind}: ${told2.join(", ")}`, children: strip.map((segment) => {
    const left = share(week, segment.from);
    const width = share(week, segment.until) - left;
    return /* @__PURE__ */ a3(
      "span",
      {
        title: `${segment.instances} from ${WHEN.format(segment.from)}${segment.windows.length ? `: ${segment.windows.join(", ")}` : ""}`,
        class: segment.instances ? "" : "none",
        style: {
          left: `${left}%`,
          width: `${width}%`,
          background: `color-mix(in srgb, var(--running) ${Math.round(segment.instances / most * 45)}%, var(--raised))`
        },
        children: /* @__PURE__ */ a3("b", { children: segment.instances })
      },
      segment.from
    );
  }) });
}
function share(week, moment) {
  return (moment - week.from) / (week.until - week.from) * 100;
}

// src/periods.tsx
var SHOWN = 20;
function Periods({ periods, now }) {
  if (periods.length < 2) return /* @__PURE__ */ a3("p", { class: "nothing quiet", children: "The budget does not change in the coming weeks." });
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3(WeekStrip, { periods, now }),
    /* @__PURE__ */ a3(PeriodTable, { periods, now })
  ] });
}
function PeriodTable({ periods, now }) {
  return /* @__PURE__ */ a3("table", { class: "cards", children: [
    /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "col", children: "From" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Budget" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Windows" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Jobs over budget" })
    ] }) }),
    /* @__PURE__ */ a3("tbody", { children: periods.slice(0, SHOWN).map((period, number) => /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "row", children: number ? clock(period.begins, now) : "now" }),
      /* @__PURE__ */ a3("td", { class: "wraps", children: told(period.budget) }),
      /* @__PURE__ */ a3("td", { class: "wraps", children: period.windows.join(", ") || /* @__PURE__ */ a3("span", { class: "quiet", children: "none" }) }),
      /* @__PURE__ */ a3("td", { "data-label": "over budget", children: [...new Set(Object.values(period.excess))].map((one) => one.replaceAll("_", " ")).join(", ") })
    ] }, period.begins)) })
  ] });
}

// src/polling.ts
var SOONEST = 1500;
var LATEST = 8e3;
var LATEST_AFTER_ERRORS = 6e4;
function usePolled(load, about, latest = LATEST) {
  const [value, setValue] = d2(null);
  const [error, setError] = d2(null);
  const loading = T2(load);
  loading.current = load;
  const lookNow = T2(() => {
  });
  A2(() => {
    let timer = 0;
    let pause = SOONEST;
    let seen = "";
    let isOver = false;
    let round2 = 0;
    const freshness = { updated: Date.now(), hasAnswered: false, isRefused: false };
    const unfollow = latest > LATEST ? () => {
    } : follow(freshness);
    async function look() {
      clearTimeout(timer);
      const mine = ++round2;
      try {
        const found = await loading.current();
        if (isOver || mine !== round2) return;
        const text = JSON.stringify(found);
        pause = text === seen ? Math.min(pause * 1.4, latest) : SOONEST;
        if (text !== seen) setValue(found);
        seen = text;
        setError(null);
        Object.assign(freshness, { updated: Date.now(), hasAnswered: true, isRefused: false });
      } catch (cause) {
        if (isOver || mine !== round2) return;
        setError(refusalOf(cause));
        freshness.isRefused = true;
        pause = Math.min(pause * 2, LATEST_AFTER_ERRORS);
      }
      if (!document.hidden) timer = window.setTimeout(look, pause);
    }
    function lookAgain() {
      pause = SOONEST;
      if (!document.hidden) void look();
    }
    setValue(null);
    setError(null);
    lookNow.current = lookAgain;
    document.addEventListener("visibilitychange", lookAgain);
    addEventListener("storage", lookAgain);
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
      unfollow();
      document.removeEventListener("visibilitychange", lookAgain);
      removeEventListener("storage", lookAgain);
    };
  }, [about, latest]);
  return { value, error, look: b(() => lookNow.current(), []) };
}

// src/route.ts
var VIEWS = {
  now: "Now",
  submit: "Submit",
  capacity: "Capacity",
  teams: "Teams",
  spending: "Spending",
  history: "History",
  guardrails: "Guardrails",
  configuration: "Configuration"
};
function useRoute() {
  return routeOf(useHash());
}
function useQuery() {
  const [path = "", text = ""] = useHash().split("?");
  return [new URLSearchParams(text), (changes) => replaceQuery(path, changes)];
}
function linkTo(job) {
  return `#/job/${encodeURIComponent(job)}`;
}
function linkToCopy(job) {
  return `#/submit?from=${encodeURIComponent(job)}`;
}
function linkToSection(kind) {
  return `#/configuration/${kind}`;
}
function useHash() {
  const [hash2, setHash] = d2(location.hash);
  F2(() => {
    const follow2 = () => setHash(location.hash);
    addEventListener("hashchange", follow2);
    return () => removeEventListener("hashchange", follow2);
  }, []);
  return hash2;
}
function routeOf(hash2) {
  const [path = ""] = hash2.split("?");
  const [, view = "now", name = ""] = path.split("/");
  if (view === "job") return { view, job: decodeURIComponent(name), kind: "" };
  return { view: view in VIEWS ? view : "now", job: "", kind: name };
}
function replaceQuery(path, changes) {
  const [, text = ""] = location.hash.split("?");
  const query2 = new URLSearchParams(text);
  for (const [name, value] of Object.entries(changes)) value ? query2.set(name, value) : query2.delete(name);
  history.replaceState(null, "", query2.size ? `${path || "#/now"}?${query2}` : path || "#/now");
  dispatchEvent(new HashChangeEvent("hashchange"));
}

// src/trouble.tsx
function Trouble({ error }) {
  return /* @__PURE__ */ a3("p", { class: "trouble", role: "alert", children: [
    /* @__PURE__ */ a3("strong", { children: error.message }),
    " ",
    error.remedy
  ] });
}

// src/capacity_view.tsx
function CapacityView({ queue }) {
  const now = useNow(1e4);
  const budget = usePolled(() => read("budget"), "budget");
  const pools = usePolled(() => read("pools"), "pools");
  const errors = [budget.error, pools.error].filter((error) => error !== null);
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("h1", { class: "unseen", children: "Capacity" }),
    errors[0] && /* @__PURE__ */ a3(Trouble, { error: errors[0] }),
    /* @__PURE__ */ a3("section", { "aria-labelledby": "budget-title", children: [
      /* @__PURE__ */ a3("header", { class: "section-head", children: [
        /* @__PURE__ */ a3("h2", { id: "budget-title", children: "Budget" }),
        /* @__PURE__ */ a3("span", { class: "quiet", children: "The instances that the queue may use, and their use." }),
        budget.value?.changed_by && /* @__PURE__ */ a3(LastChange, { budget: budget.value, now })
      ] }),
      queue ? /* @__PURE__ */ a3(BudgetLines, { queue }) : /* @__PURE__ */ a3("p", { class: "empty", children: "Loading \u2026" })
    ] }),
    /* @__PURE__ */ a3("section", { "aria-labelledby": "calendar-title", children: [
      /* @__PURE__ */ a3("header", { class: "section-head", children: [
        /* @__PURE__ */ a3("h2", { id: "calendar-title", children: "Calendar" }),
        budget.value?.calendar_rests && /* @__PURE__ */ a3("span", { class: "quiet", children: "On hold: an operator has set a budget." })
      ] }),
      budget.value && /* @__PURE__ */ a3(Periods, { periods: budget.value.periods, now })
    ] }),
    /* @__PURE__ */ a3("section", { "aria-labelledby": "shortages-title", children: [
      /* @__PURE__ */ a3("header", { class: "section-head", children: [
        /* @__PURE__ */ a3("h2", { id: "shortages-title", children: "Capacity shortages" }),
        /* @__PURE__ */ a3("span", { class: "quiet", children: "One job at a time retries; the other jobs wait." })
      ] }),
      /* @__PURE__ */ a3(Shortages, { shortages: queue?.shortages ?? [], now })
    ] }),
    /* @__PURE__ */ a3("section", { "aria-labelledby": "pools-title", children: [
      /* @__PURE__ */ a3("header", { class: "section-head", children: [
        /* @__PURE__ */ a3("h2", { id: "pools-title", children: "Warm pools" }),
        /* @__PURE__ */ a3("span", { class: "quiet", children: "Instances that SageMaker keeps after a job. They count against the budget, and are billed." })
      ] }),
      pools.value && /* @__PURE__ */ a3(Pools, { pools: pools.value.pools, now })
    ] })
  ] });
}
function LastChange({ budget, now }) {
  return /* @__PURE__ */ a3("span", { class: "quiet", children: [
    "Budget or intake last changed by ",
    /* @__PURE__ */ a3("span", { title: budget.changed_by ?? "", children: person(budget.changed_by ?? "") }),
    budget.changed_at && ` at ${clock(budget.changed_at, now)}`,
    "."
  ] });
}
function BudgetLines({ queue }) {
  return /* @__PURE__ */ a3("table", { class: "cards", children: [
    /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "col", children: "Instance type" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Budget" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Held" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Free" })
    ] }) }),
    /* @__PURE__ */ a3("tbody", { children: Object.entries(queue.budget).map(([kind, line]) => /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "row", children: kind }),
      /* @__PURE__ */ a3("td", { class: "number", "data-label": "budget", children: line.limit }),
      /* @__PURE__ */ a3("td", { class: "number", "data-label": "held", children: line.held }),
      /* @__PURE__ */ a3("td", { class: "number", "data-label": "free", children: line.free })
    ] }, kind)) })
  ] });
}
function Shortages({ shortages, now }) {
  if (!shortages.length) return /* @__PURE__ */ a3("p", { class: "nothing quiet", children: "No known shortages." });
  return /* @__PURE__ */ a3("table", { class: "cards", children: [
    /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "col", children: "Instance type" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Subnet" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Failures" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Last failure" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Next try" })
    ] }) }),
    /* @__PURE__ */ a3("tbody", { children: shortages.map((one) => /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "row", children: [
        one.instance_type,
        one.spot && ", spot"
      ] }),
      /* @__PURE__ */ a3("td", { "data-label": "subnet", children: one.subnet ?? "any" }),
      /* @__PURE__ */ a3("td", { class: "number", "data-label": "failures", children: one.failures }),
      /* @__PURE__ */ a3("td", { class: "quiet", "data-label": "failed", children: clock(one.failed_at, now) }),
      /* @__PURE__ */ a3("td", { "data-label": "next try", children: clock(one.next_try_at, now) })
    ] }, `${one.instance_type} ${one.spot} ${one.subnet}`)) })
  ] });
}
function Pools({ pools, now }) {
  if (!pools.length) return /* @__PURE__ */ a3("p", { class: "nothing quiet", children: "None." });
  return /* @__PURE__ */ a3("table", { class: "cards", children: [
    /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "col", children: "Attempt" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Instances" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Age" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Ends in" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Cost" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Jobs that fit" })
    ] }) }),
    /* @__PURE__ */ a3("tbody", { children: pools.map((pool) => /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "row", children: /* @__PURE__ */ a3("a", { href: linkTo(pool.job), children: pool.name }) }),
      /* @__PURE__ */ a3("td", { children: told(pool.instances) }),
      /* @__PURE__ */ a3("td", { class: "number", "data-label": "age", children: pool.since && since(pool.since, now) }),
      /* @__PURE__ */ a3("td", { class: "number", "data-label": "ends in", children: pool.until && span(Date.parse(pool.until) - now) }),
      /* @__PURE__ */ a3("td", { class: "number", "data-label": "cost", children: pool.cost === null ? "no known price" : `$${pool.cost.toFixed(2)}` }),
      /* @__PURE__ */ a3("td", { class: "wraps", children: pool.lent_to ? `used by ${pool.lent_to}` : pool.fits.join(", ") || "none" })
    ] }, pool.name)) })
  ] });
}

// src/config_logic.ts
var FILE = "";
function mayConfigure(me) {
  return me === null || me.verbs.some((verb) => verb === "operate" || verb.startsWith("config:"));
}
function againstChange(kind, me) {
  if (!me || me.verbs.includes("operate") || me.verbs.includes("config:*")) return null;
  if (kind === FILE) {
    return mayConfigure(me) ? null : "You may not change the configuration; an operator can grant you more.";
  }
  return me.verbs.includes(`config:${kind}`) ? null : `You may not change ${kind}; an operator can grant you config:${kind}.`;
}
function changedDecisions(cycle) {
  const jobs = new Set([...cycle.before, ...cycle.after].map((decision) => decision.job));
  const ofJob2 = (decisions, job) => decisions.filter((one) => one.job === job);
  return [...jobs].map((job) => ({ job, before: ofJob2(cycle.before, job), after: ofJob2(cycle.after, job) })).filter((one) => decided(one.before) !== decided(one.after));
}
function decided(decisions) {
  const told2 = decisions.map(({ decision, instance_type }) => {
    const what = decision === "release" ? "release its warm pool" : decision;
    return instance_type ? `${what} on ${instance_type}` : what;
  });
  return told2.join(", then ") || "nothing";
}

// src/config_draft.ts
var STALE = "StaleConfig";
function useDraft(kind, text) {
  const [outcome, setOutcome] = d2(null);
  const [isBusy, setIsBusy] = d2(false);
  const path = kind === FILE ? "config" : `config/${kind}`;
  const { plan, refusal } = outcome?.text === text ? outcome : { plan: null, refusal: null };
  async function makePlan() {
    if (isBusy) return;
    setIsBusy(true);
    try {
      setOutcome({ text, plan: await sendText("POST", `${path}/plan`, text), refusal: null });
    } catch (cause) {
      setOutcome({ text, plan: null, refusal: refusalOf(cause) });
    } finally {
      setIsBusy(false);
    }
  }
  async function apply(comment) {
    if (isBusy || !plan) return null;
    setIsBusy(true);
    try {
      return await sendText("PUT", path, text, { replaces: String(plan.version), comment });
    } catch (cause) {
      const refused = refusalOf(cause);
      setOutcome({ text, plan: refused.code === STALE ? null : plan, refusal: refused });
      return null;
    } finally {
      setIsBusy(false);
    }
  }
  return { plan, refusal, isBusy, makePlan, apply };
}

// src/one_tab_stop.ts
function useOneTabStop(selector) {
  const ref = T2(null);
  const current = T2(0);
  const stops2 = () => [...ref.current?.querySelectorAll(selector) ?? []];
  F2(() => {
    const all = stops2();
    for (const [index, stop] of all.entries())
      stop.tabIndex = index === Math.min(current.current, all.length - 1) ? 0 : -1;
  });
  function onKeyDown(event) {
    const all = stops2();
    const from = all.indexOf(event.target);
    const to = {
      ArrowDown: from + 1,
      ArrowRight: from + 1,
      ArrowUp: from - 1,
      ArrowLeft: from - 1,
      Home: 0,
      End: all.length - 1
    };
    const next = all[to[event.key] ?? -1];
    if (from < 0 || !next) return;
    event.preventDefault();
    next.tabIndex = 0;
    next.focus();
  }
  function onFocusCapture(event) {
    const index = stops2().indexOf(event.target);
    if (index >= 0) current.current = index;
  }
  return { ref, onKeyDown, onFocusCapture };
}

// src/victims.tsx
var PAUSE3 = 300;
var MOST_NAMED = 10;
function Forecast({ jobs, priority }) {
  const [found, setFound] = d2(null);
  const [error, setError] = d2(null);
  A2(() => {
    if (!/^-?\d+$/.test(priority)) return;
    let isOver = false;
    setError(null);
    const names = jobs.map((job) => job.name);
    const timer = setTimeout(() => {
      change("what-if-priority", { names, priority: Number(priority) }).then(
        (victims) => isOver || setFound({ priority, victims }),
        (cause) => isOver || setError(refusalOf(cause))
      );
    }, PAUSE3);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [priority]);
  return /* @__PURE__ */ a3("p", { class: "forecast", "aria-live": "polite", children: error ? /* @__PURE__ */ a3("span", { class: "quiet", children: [
    "The effect is not known: ",
    error.message
  ] }) : found?.priority === priority ? /* @__PURE__ */ a3(Effect, { victims: found.victims }) : /* @__PURE__ */ a3("span", { class: "quiet", children: "Asking the queue what would happen \u2026" }) });
}
function Effect({ victims }) {
  const { preempts, starts_now } = victims;
  const starts = starts_now.length > 0 && ` ${plural(starts_now.length, "of these jobs starts", "of these jobs start")} now.`;
  if (!preempts.length) return /* @__PURE__ */ a3("span", { children: [
    "No running job would be stopped at once.",
    starts
  ] });
  return /* @__PURE__ */ a3("strong", { class: "caution", children: [
    "Stops ",
    preempts.slice(0, MOST_NAMED).join(", "),
    preempts.length > MOST_NAMED && ` and ${plural(preempts.length - MOST_NAMED, "further job")}`,
    " at once.",
    starts
  ] });
}

// src/question.tsx
function QuestionDialog(props) {
  const { verb, jobs, leftOut } = props.question;
  const box = T2(null);
  const [priority, setPriority] = d2(String(jobs[0]?.priority ?? 0));
  A2(() => box.current?.showModal(), []);
  return /* @__PURE__ */ a3("dialog", { ref: box, "aria-labelledby": "question", onClose: () => props.onAnswer(null), children: /* @__PURE__ */ a3(
    "form",
    {
      onSubmit: (event) => {
        event.preventDefault();
        props.onAnswer(Number(priority));
      },
      children: [
        /* @__PURE__ */ a3("h2", { id: "question", children: asked(verb, jobs) }),
        verb === "priority" ? /* @__PURE__ */ a3($, { children: [
          /* @__PURE__ */ a3("label", { children: [
            "Priority",
            " ",
            /* @__PURE__ */ a3(
              "input",
              {
                type: "number",
                min: -9999,
                max: props.me?.priority_ceiling ?? 9999,
                step: 1,
                required: true,
                value: priority,
                onInput: (event) => setPriority(event.currentTarget.value)
              }
            ),
            " ",
            /* @__PURE__ */ a3("span", { class: "quiet", children: "Higher starts first, and may preempt lower priorities." })
          ] }),
          /* @__PURE__ */ a3(Forecast, { jobs, priority })
        ] }) : /* @__PURE__ */ a3("p", { children: consequence(verb, jobs) }),
        jobs.length > 1 && /* @__PURE__ */ a3("p", { class: "quiet names", children: jobs.map((job) => job.name).join(", ") }),
        leftOut > 0 && /* @__PURE__ */ a3("p", { class: "quiet", children: [
          "Left out: ",
          plural(leftOut, "selected job"),
          " that you may not change, or not in this state."
        ] }),
        /* @__PURE__ */ a3("div", { class: "answers", children: [
          /* @__PURE__ */ a3("button", { type: "button", onClick: () => box.current?.close(), children: "Keep" }),
          /* @__PURE__ */ a3("button", { type: "submit", class: verb === "cancel" || verb === "requeue" ? "grave" : "main", children: answer(verb, jobs) })
        ] })
      ]
    }
  ) });
}
function asked(verb, jobs) {
  const names = jobs.length === 1 && jobs[0]?.name || plural(jobs.length, "job");
  if (verb === "priority") return `Change the priority of ${names}`;
  if (verb === "top") return `Move ${names} to the top?`;
  if (verb === "requeue") return stops(jobs) ? `Stop ${names} and queue again?` : `Queue ${names} again?`;
  return `${VERBS[verb].label.replace("\u2026", "")} ${names}?`;
}
function answer(verb, jobs) {
  if (verb === "priority")
    return jobs.length > 1 ? `Set the priority of ${plural(jobs.length, "job")}` : "Set priority";
  if (verb === "requeue") return stops(jobs) ? "Stop and queue again" : `Queue ${plural(jobs.length, "job")} again`;
  if (verb === "top") return `Move ${plural(jobs.length, "job")}`;
  return `${VERBS[verb].label.replace("\u2026", "")} ${plural(jobs.length, "job")}`;
}
function stops(jobs) {
  return jobs.some((job) => LIVE.has(job.state));
}
function consequence(verb, jobs) {
  if (verb === "hold") return "They keep their age, and do not start until they are released.";
  if (verb === "release") return "They go back into the queue, with the age that they have.";
  if (verb === "top") return "They go ahead of all other waiting jobs of their priority.";
  const live = jobs.filter((job) => LIVE.has(job.state));
  if (!live.length) {
    if (verb === "requeue") return "They wait in the queue for a new attempt.";
    return "Cancelled jobs leave the queue. They can be queued again.";
  }
  const lost = live.filter((job) => !job.has_checkpoints).length;
  const work = lost ? `${plural(lost, "job")} without checkpoints will lose all work.` : "Work since the last checkpoint is lost.";
  return `${plural(live.length, "running job")} will be stopped. ${work}`;
}

// src/acting.tsx
var MOST_UNASKED = 10;
function useActing(acting) {
  const [question, setQuestion] = d2(null);
  const [busy, setBusy] = d2(null);
  function ask2(verb, jobs, always = false) {
    const objection = objectionTo(verb, jobs, acting.me);
    const fitting = able(verb, jobs, acting.me);
    if (objection) acting.notes.tell(objection);
    else if (busy) acting.notes.tell(`${VERBS[busy].label.replace("\u2026", "")} is still under way.`);
    else if (always || asksFirst(verb, fitting))
      setQuestion({ verb, jobs: fitting, leftOut: jobs.length - fitting.length });
    else void carryOut(verb, fitting);
  }
  async function carryOut(verb, jobs, priority) {
    setBusy(verb);
    const [first] = jobs;
    if (first && jobs.length === 1) await actOnOne(verb, first, acting, priority);
    else await acting.batches.start(verb, jobs, priority);
    setBusy(null);
    acting.look();
  }
  const dialog = question && /* @__PURE__ */ a3(
    QuestionDialog,
    {
      question,
      me: acting.me,
      onAnswer: (priority) => {
        setQuestion(null);
        if (priority !== null)
          void carryOut(question.verb, question.jobs, question.verb === "priority" ? priority : void 0);
      }
    }
  );
  return { ask: ask2, dialog, busy };
}
function asksFirst(verb, jobs) {
  if (verb === "priority" || verb === "cancel" || jobs.length > MOST_UNASKED) return true;
  return verb === "requeue" && jobs.some((job) => LIVE.has(job.state));
}
function ActionBar(props) {
  const stops2 = useOneTabStop("button");
  if (!mayControl(props.me)) return null;
  return /* @__PURE__ */ a3("div", { class: "actions", role: "toolbar", "aria-label": "Actions", ...stops2, children: props.verbs.map((verb) => {
    const objection = objectionTo(verb, props.jobs, props.me);
    return /* @__PURE__ */ a3(
      "button",
      {
        type: "button",
        class: verb === "cancel" ? "grave" : "",
        "aria-disabled": Boolean(objection),
        "aria-busy": props.busy === verb,
        title: objection ?? `${VERBS[verb].meaning} (key ${VERBS[verb].key})`,
        onClick: () => props.onAct(verb, props.jobs),
        children: [
          VERBS[verb].label,
          objection && /* @__PURE__ */ a3("span", { class: "unseen", children: [
            " ",
            objection
          ] })
        ]
      },
      verb
    );
  }) });
}
function objectionTo(verb, jobs, me) {
  const [first] = jobs;
  if (!first) return "Select jobs, or filter the list, first.";
  return able(verb, jobs, me).length ? null : against(verb, first, me);
}
function able(verb, jobs, me) {
  return jobs.filter((job) => against(verb, job, me) === null);
}
async function actOnOne(verb, job, acting, priority) {
  try {
    await act(verb, job, priority);
  } catch (cause) {
    acting.notes.refuse(job.name, cause);
    return;
  }
  const undo = undoing(verb, job);
  async function take() {
    if (undo) await act(undo.verb, job, undo.priority).catch((cause) => acting.notes.refuse("Undo failed", cause));
    acting.look();
  }
  const way = undo && { label: undo.label, take: () => void take() };
  acting.notes.tell(`${job.name} ${DONE[verb]}${verb === "priority" ? ` ${priority}` : ""}`, way);
}

// src/alternatives.tsx
function Alternatives({ job }) {
  return /* @__PURE__ */ a3("section", { "aria-labelledby": "alternatives-title", children: [
    /* @__PURE__ */ a3("header", { class: "section-head", children: [
      /* @__PURE__ */ a3("h2", { id: "alternatives-title", children: "Alternatives" }),
      /* @__PURE__ */ a3("span", { class: "quiet", children: "The job runs on the first of them that is possible." })
    ] }),
    /* @__PURE__ */ a3("table", { class: "cards", children: [
      /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
        /* @__PURE__ */ a3("th", { scope: "col", children: "Choice" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Instances" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Purchase" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Time limit" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Waits for better ones" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "State" })
      ] }) }),
      /* @__PURE__ */ a3("tbody", { children: job.choices.map((choice, index) => /* @__PURE__ */ a3("tr", { class: index === job.choice ? "selected" : "", children: [
        /* @__PURE__ */ a3("th", { scope: "row", children: index ? `alternative ${index}` : "request" }),
        /* @__PURE__ */ a3("td", { children: told(choice.instances) }),
        /* @__PURE__ */ a3("td", { "data-label": "purchase", children: choice.spot ? "spot" : "on demand" }),
        /* @__PURE__ */ a3("td", { "data-label": "time limit", children: span(choice.max_runtime * 1e3) }),
        /* @__PURE__ */ a3("td", { "data-label": "waits for better ones", children: choice.wait_for_better ? span(choice.wait_for_better * 1e3) : "no" }),
        /* @__PURE__ */ a3("td", { children: index === job.choice && job.attempts.length > 0 && chosen(job) })
      ] }, `${told(choice.instances)} ${choice.spot}`)) })
    ] })
  ] });
}
function chosen(job) {
  if (LIVE.has(job.state)) return "runs on it";
  return ENDED.has(job.state) ? "ran on it" : "ran on it last";
}

// src/columns.tsx
var STATES = [
  "running",
  "launching",
  "stopping",
  "pending",
  "preempted",
  "held",
  "parked",
  "completed",
  "failed",
  "stopped"
];
var COLUMNS = {
  position: {
    label: "#",
    className: "place quiet",
    isNumber: true,
    cell: (job) => job.position ?? "",
    text: (job) => String(job.position ?? "")
  },
  name: {
    label: "Job",
    className: "name",
    cell: (job) => job.name,
    order: (job) => job.name,
    text: (job) => job.name
  },
  state: {
    label: "State",
    className: "in-state",
    cell: (job) => /* @__PURE__ */ a3(StateMark, { job }),
    order: (job) => STATES.indexOf(job.state),
    text: (job) => job.state
  },
  priority: {
    label: "Priority",
    className: "priority",
    isNumber: true,
    onCard: "priority",
    cell: (job) => job.priority,
    order: (job) => job.priority,
    text: (job) => String(job.priority)
  },
  instances: {
    label: "Instances",
    className: "on",
    cell: instances,
    title: instances,
    order: (job) => total(job.instances),
    text: instances
  },
  owner: {
    label: "Owner",
    className: "owner",
    cell: (job) => /* @__PURE__ */ a3($, { children: [
      person(job.owner),
      job.team && /* @__PURE__ */ a3("small", { class: "quiet", children: [
        " ",
        job.team
      ] })
    ] }),
    title: (job) => job.owner,
    order: (job) => person(job.owner),
    text: (job) => job.owner
  },
  team: {
    label: "Team",
    className: "team extra",
    cell: (job) => job.team ?? "",
    title: (job) => job.team ?? "",
    order: (job) => job.team ?? "",
    text: (job) => job.team ?? ""
  },
  age: {
    label: "Age",
    className: "age",
    isNumber: true,
    onCard: "age",
    cell: (job, now) => since(job.submitted_at, now),
    title: (job) => job.submitted_at,
    order: (job) => -Date.parse(job.submitted_at),
    text: (job) => job.submitted_at
  },
  limit: {
    label: "Time limit",
    className: "limit extra",
    isNumber: true,
    cell: (job) => span(job.max_runtime * 1e3),
    order: (job) => job.max_runtime,
    text: (job) => String(job.max_runtime)
  },
  preemptions: {
    label: "Preempted",
    className: "preemptions extra",
    isNumber: true,
    cell: (job) => job.preemptions || "",
    order: (job) => job.preemptions,
    text: (job) => String(job.preemptions)
  },
  starts: {
    label: "May start",
    className: "starts",
    cell: (job, now, explanation) => QUEUED.has(job.state) && explanation ? start(explanation.starts, now) : ""
  },
  why: {
    label: "Why",
    className: "why",
    cell: why,
    title: why,
    order: (job) => job.reason.code,
    text: why
  }
};
var EXTRA = /* @__PURE__ */ new Set(["team", "limit", "preemptions"]);
var USUAL = Object.keys(COLUMNS).filter((key) => !EXTRA.has(key));
var IN_FILE = {
  position: "position",
  age: "submitted_at",
  limit: "time_limit_seconds"
};
function columnsOf(chosen2) {
  const keys = chosen2 ? new Set(chosen2.split(",")) : new Set(USUAL);
  return Object.keys(COLUMNS).filter((key) => key === "name" || keys.has(key));
}
function sorted(jobs, by) {
  const order = COLUMNS[by.replace(/^-/, "")]?.order;
  if (!order) return jobs;
  const sign2 = by.startsWith("-") ? -1 : 1;
  const keyed = jobs.map((job) => ({ job, key: order(job) }));
  return keyed.sort((one, other) => sign2 * compared(one.key, other.key)).map(({ job }) => job);
}
function csvOf(jobs, keys, now) {
  const columns = keys.flatMap((key) => {
    const text = COLUMNS[key]?.text;
    return text ? [{ head: IN_FILE[key] ?? key, text }] : [];
  });
  const lines = jobs.map((job) => columns.map(({ text }) => csvCell(text(job, now))));
  return `${[columns.map(({ head }) => head), ...lines].map((cells) => cells.join(",")).join("\r\n")}\r
`;
}
function StateMark({ job }) {
  return /* @__PURE__ */ a3("span", { class: `state ${job.state}`, children: job.state });
}
function compared(one, other) {
  if (typeof one === "string") return one.localeCompare(String(other), "en", { numeric: true });
  return one - Number(other);
}
function csvCell(text) {
  const isFormula = /^[=+\-@\t\r]/.test(text) && !/^-\d+$/.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

// src/money.ts
function dollars(amount2) {
  return `$${amount2 >= 5e-3 || !amount2 ? amount2.toFixed(2) : Number(amount2.toPrecision(1))}`;
}
function costText(cost) {
  if (!cost) return "no known price";
  return (cost.final ? "" : "\u2264 ") + dollars(cost.dollars + cost.retained_dollars);
}

// src/submission.ts
var PRIORITY = "queue:priority";
var LONGEST_NAME = 63;
var NAME_MEMBERS = ["TrainingJobName", "HyperParameterTuningJobName", "ProcessingJobName"];
function parsed(text) {
  try {
    const content = JSON.parse(text);
    if (isObject(content)) return { submission: isSubmission(content) ? content : { request: content }, problems: [] };
    return { submission: null, problems: [{ line: 1, field: "", message: "The request is not a JSON object." }] };
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const line = Number(/line (\d+)/.exec(message)?.[1]) || text.split("\n").length;
    return { submission: null, problems: [{ line, field: "", message: `This is not JSON: ${message}` }] };
  }
}
function nameMember(request) {
  return NAME_MEMBERS.find((member) => member in request) ?? "TrainingJobName";
}
function knobs(request) {
  const resources = isObject(request.ResourceConfig) ? request.ResourceConfig : {};
  return {
    name: String(request[nameMember(request)] ?? ""),
    priority: Number(tags(request).find(setsPriority)?.Value ?? 0),
    type: typeof resources.InstanceType === "string" ? resources.InstanceType : null,
    count: typeof resources.InstanceCount === "number" ? resources.InstanceCount : null
  };
}
function withKnobs({ request, ...beside }, changes) {
  const { name, priority, type, count } = changes;
  const resources = { ...request.ResourceConfig };
  if (type != null) resources.InstanceType = type;
  if (count != null) resources.InstanceCount = count;
  const changed = {
    ...request,
    ...name !== void 0 && { [nameMember(request)]: name },
    ...(type != null || count != null) && { ResourceConfig: resources },
    ...priority !== void 0 && { Tags: withPriority(request, priority) }
  };
  return textOf({ request: changed, ...beside });
}
function copyOf(job) {
  const request = job.request ?? {};
  const given = new Set(tags(request).map((tag) => tag.Key));
  const { never_preempt, restart_tuning, min_parallel, idle_exempt, interactive, retries, team } = job.options;
  const { checkpoint_interval, notify, order, instances: instances2 } = job.options;
  const options = {
    "queue:never-preempt": unlessDefault(never_preempt, job.kind === "processing"),
    "queue:restart-tuning": restart_tuning,
    "queue:min-parallel": min_parallel,
    "queue:idle-exempt": unlessDefault(idle_exempt, interactive),
    "queue:interactive": interactive,
    "queue:retries": retries,
    "queue:team": team,
    "queue:checkpoint-interval": checkpoint_interval,
    "queue:notify": notify.join("+"),
    "queue:order": order === "best" && order
  };
  const added = Object.entries(options).filter(([key, value]) => (value || value === 0) && !given.has(key)).map(([Key, value]) => ({ Key, Value: String(value) }));
  const kept3 = tags(request).filter((tag) => tag.Key !== "queue:hold");
  const copy2 = { ...request, ...kept3.length + added.length > 0 && { Tags: [...kept3, ...added] } };
  const isPriorityKnown = knobs(request).priority === job.priority;
  const alternatives = job.alternatives?.length ? job.alternatives : null;
  const submission = {
    request: copy2,
    ...(alternatives || instances2) && {
      options: { ...alternatives && { alternatives }, ...instances2 && { instances: instances2 } }
    }
  };
  return withKnobs(submission, { name: nextName(job.name), ...!isPriorityKnown && { priority: job.priority } });
}
function unlessDefault(flag, usual) {
  return flag === usual ? null : String(flag);
}
function problemsOf(refusal, text) {
  if (refusal.violations.length) {
    return refusal.violations.map(({ rule, field, message: message2, remedy }) => ({
      line: lineOf(text, field),
      field,
      message: `${message2} (rule ${rule}). ${remedy}`
    }));
  }
  if (refusal.field === null) return [];
  const message = `${refusal.message} ${refusal.remedy}`.trim();
  return [{ line: lineOf(text, refusal.field), field: refusal.field, message }];
}
function lineOf(text, field) {
  let at = -1;
  for (const member of inText(field).split(/[.[\]]+/).filter((part) => /^[A-Za-z]/.test(part))) {
    const next = text.indexOf(`"${member}"`, at + 1);
    if (next < 0) break;
    at = next;
  }
  return at < 0 ? null : text.slice(0, at).split("\n").length;
}
function inText(field) {
  return field.replace(
    /^(options\.alternatives)\[(\d+)\](\.request)?/,
    (_4, list, index) => list + ".request".repeat(Number(index) + 1)
  );
}
function nextName(name) {
  const [, stem = name, number = "1"] = /^(.*?)-(\d{1,9})$/.exec(name) ?? [];
  const end = `-${String(Number(number) + 1).padStart(number.length, "0")}`;
  return stem.slice(0, LONGEST_NAME - end.length).replace(/-+$/, "") + end;
}
function textOf({ request, options }) {
  return `${JSON.stringify(options ? { request, options } : request, null, 2)}
`;
}
function isSubmission(content) {
  return Object.keys(content).sort().join() === "options,request" && Object.values(content).every(isObject);
}
function tags(request) {
  return Array.isArray(request.Tags) ? request.Tags.filter(isObject) : [];
}
function setsPriority(tag) {
  return tag.Key === PRIORITY || tag.Key === "priority";
}
function withPriority(request, priority) {
  return [...tags(request).filter((tag) => !setsPriority(tag)), { Key: PRIORITY, Value: String(priority) }];
}
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// src/comparison.ts
var OWN = new Set(NAME_MEMBERS);
function differencesOf(one, other) {
  const [facts, others] = [factsOf(one), factsOf(other)];
  const [members, theirs] = [flat(one.request ?? {}), flat(other.request ?? {})];
  const paths = [.../* @__PURE__ */ new Set([...members.keys(), ...theirs.keys()])].filter((path) => !OWN.has(path));
  return [
    ...Object.keys(facts).map((name) => ({ name, one: facts[name] ?? "", other: others[name] ?? "" })),
    ...paths.map((name) => ({ name, one: members.get(name) ?? "", other: theirs.get(name) ?? "" }))
  ].filter((row) => row.one !== row.other);
}
function overlaid(one, other, names) {
  const both = [...one.charts, ...other.charts];
  const beginnings = [beginningOf(one), beginningOf(other)];
  return [...new Set(both.map((chart) => chart.name))].map((name) => {
    const means = [one, other].map(({ charts }, index) => {
      const chart = charts.find((known2) => known2.name === name);
      return meansOf(chart, beginnings[index]);
    });
    const times = [...new Set(means.flatMap((values2) => [...values2.keys()]))].sort((first, second) => first - second);
    const lines = means.map((values2, index) => ({
      name: names[index],
      values: times.map((time2) => values2.get(time2) ?? null)
    }));
    return { name, unit: both.find((chart) => chart.name === name)?.unit ?? "", times, lines };
  });
}
function factsOf(job) {
  const trained = job.attempts.reduce((sum2, { training_started_at: began, ended_at: ended2 }) => {
    return sum2 + (began && ended2 ? Date.parse(ended2) - Date.parse(began) : 0);
  }, 0);
  return {
    state: job.state,
    owner: person(job.owner),
    team: job.team ?? "",
    priority: String(job.priority),
    instances: instances(job),
    attempts: String(job.attempts.length),
    "trained for": trained ? span(trained) : "",
    cost: job.cost ? costText(job.cost) : ""
  };
}
function flat(value, path = "") {
  if (value === null || typeof value !== "object") return /* @__PURE__ */ new Map([[path, String(value)]]);
  const found = /* @__PURE__ */ new Map();
  for (const [key, part] of Object.entries(value)) {
    const tag = path === "Tags" ? part : null;
    const inner = tag ? /* @__PURE__ */ new Map([[`Tags.${tag.Key}`, tag.Value]]) : flat(part, path ? `${path}.${key}` : key);
    for (const [name, text] of inner) found.set(name, text);
  }
  return found;
}
function beginningOf(metrics) {
  return Math.min(...metrics.charts.map((chart) => chart.times[0] ?? Number.POSITIVE_INFINITY));
}
function meansOf(chart, begin) {
  const found = /* @__PURE__ */ new Map();
  chart?.times.forEach((time2, index) => {
    const values2 = chart.lines.map((line) => line.values[index]).filter((value) => value != null);
    if (values2.length) found.set(time2 - begin, values2.reduce((sum2, value) => sum2 + value, 0) / values2.length);
  });
  return found;
}

// node_modules/uplot/dist/uPlot.esm.js
var FEAT_TIME = true;
var pre = "u-";
var UPLOT = "uplot";
var ORI_HZ = pre + "hz";
var ORI_VT = pre + "vt";
var TITLE = pre + "title";
var WRAP = pre + "wrap";
var UNDER = pre + "under";
var OVER = pre + "over";
var AXIS = pre + "axis";
var OFF = pre + "off";
var SELECT = pre + "select";
var CURSOR_X = pre + "cursor-x";
var CURSOR_Y = pre + "cursor-y";
var CURSOR_PT = pre + "cursor-pt";
var LEGEND = pre + "legend";
var LEGEND_LIVE = pre + "live";
var LEGEND_INLINE = pre + "inline";
var LEGEND_SERIES = pre + "series";
var LEGEND_MARKER = pre + "marker";
var LEGEND_LABEL = pre + "label";
var LEGEND_VALUE = pre + "value";
var WIDTH = "width";
var HEIGHT = "height";
var TOP = "top";
var BOTTOM = "bottom";
var LEFT = "left";
var RIGHT = "right";
var hexBlack = "#000";
var transparent = hexBlack + "0";
var mousemove = "mousemove";
var mousedown = "mousedown";
var mouseup = "mouseup";
var mouseenter = "mouseenter";
var mouseleave = "mouseleave";
var dblclick = "dblclick";
var resize = "resize";
var scroll = "scroll";
var change2 = "change";
var dppxchange = "dppxchange";
var LEGEND_DISP = "--";
var domEnv = typeof window != "undefined";
var doc = domEnv ? document : null;
var win = domEnv ? window : null;
var nav = domEnv ? navigator : null;
var pxRatio;
var query;
function setPxRatio() {
  let _pxRatio = devicePixelRatio;
  if (pxRatio != _pxRatio) {
    pxRatio = _pxRatio;
    query && off(change2, query, setPxRatio);
    query = matchMedia(`(min-resolution: ${pxRatio - 1e-3}dppx) and (max-resolution: ${pxRatio + 1e-3}dppx)`);
    on(change2, query, setPxRatio);
    win.dispatchEvent(new CustomEvent(dppxchange));
  }
}
function addClass(el, c3) {
  if (c3 != null) {
    let cl = el.classList;
    !cl.contains(c3) && cl.add(c3);
  }
}
function remClass(el, c3) {
  let cl = el.classList;
  cl.contains(c3) && cl.remove(c3);
}
function setStylePx(el, name, value) {
  el.style[name] = value + "px";
}
function placeTag(tag, cls, targ, refEl) {
  let el = doc.createElement(tag);
  if (cls != null)
    addClass(el, cls);
  if (targ != null)
    targ.insertBefore(el, refEl);
  return el;
}
function placeDiv(cls, targ) {
  return placeTag("div", cls, targ);
}
var xformCache = /* @__PURE__ */ new WeakMap();
function elTrans(el, xPos, yPos, xMax, yMax) {
  let xform = "translate(" + xPos + "px," + yPos + "px)";
  let xformOld = xformCache.get(el);
  if (xform != xformOld) {
    el.style.transform = xform;
    xformCache.set(el, xform);
    if (xPos < 0 || yPos < 0 || xPos > xMax || yPos > yMax)
      addClass(el, OFF);
    else
      remClass(el, OFF);
  }
}
var colorCache = /* @__PURE__ */ new WeakMap();
function elColor(el, background, borderColor) {
  let newColor = background + borderColor;
  let oldColor = colorCache.get(el);
  if (newColor != oldColor) {
    colorCache.set(el, newColor);
    el.style.background = background;
    el.style.borderColor = borderColor;
  }
}
var sizeCache = /* @__PURE__ */ new WeakMap();
function elSize(el, newWid, newHgt, centered) {
  let newSize = newWid + "" + newHgt;
  let oldSize = sizeCache.get(el);
  if (newSize != oldSize) {
    sizeCache.set(el, newSize);
    el.style.height = newHgt + "px";
    el.style.width = newWid + "px";
    el.style.marginLeft = centered ? -newWid / 2 + "px" : 0;
    el.style.marginTop = centered ? -newHgt / 2 + "px" : 0;
  }
}
var evOpts = { passive: true };
var evOpts2 = { ...evOpts, capture: true };
function on(ev, el, cb, capt) {
  el.addEventListener(ev, cb, capt ? evOpts2 : evOpts);
}
function off(ev, el, cb, capt) {
  el.removeEventListener(ev, cb, evOpts);
}
domEnv && setPxRatio();
function closestIdx(num, arr, lo, hi) {
  let mid;
  lo = lo || 0;
  hi = hi || arr.length - 1;
  let bitwise = hi <= 2147483647;
  while (hi - lo > 1) {
    mid = bitwise ? lo + hi >> 1 : floor((lo + hi) / 2);
    if (arr[mid] < num)
      lo = mid;
    else
      hi = mid;
  }
  if (num - arr[lo] <= arr[hi] - num)
    return lo;
  return hi;
}
function makeIndexOfs(predicate) {
  let indexOfs = (data, _i0, _i1) => {
    let i0 = -1;
    let i1 = -1;
    for (let i3 = _i0; i3 <= _i1; i3++) {
      if (predicate(data[i3])) {
        i0 = i3;
        break;
      }
    }
    for (let i3 = _i1; i3 >= _i0; i3--) {
      if (predicate(data[i3])) {
        i1 = i3;
        break;
      }
    }
    return [i0, i1];
  };
  return indexOfs;
}
var notNullish = (v3) => v3 != null;
var isPositive = (v3) => v3 != null && v3 > 0;
var nonNullIdxs = makeIndexOfs(notNullish);
var positiveIdxs = makeIndexOfs(isPositive);
function getMinMax(data, _i0, _i1, sorted2 = 0, log = false) {
  let getEdgeIdxs = log ? positiveIdxs : nonNullIdxs;
  let predicate = log ? isPositive : notNullish;
  [_i0, _i1] = getEdgeIdxs(data, _i0, _i1);
  let _min = data[_i0];
  let _max = data[_i0];
  if (_i0 > -1) {
    if (sorted2 == 1) {
      _min = data[_i0];
      _max = data[_i1];
    } else if (sorted2 == -1) {
      _min = data[_i1];
      _max = data[_i0];
    } else {
      for (let i3 = _i0; i3 <= _i1; i3++) {
        let v3 = data[i3];
        if (predicate(v3)) {
          if (v3 < _min)
            _min = v3;
          else if (v3 > _max)
            _max = v3;
        }
      }
    }
  }
  return [_min ?? inf, _max ?? -inf];
}
function rangeLog(min2, max2, base, fullMags) {
  let minSign = sign(min2);
  let maxSign = sign(max2);
  if (min2 == max2) {
    if (minSign == -1) {
      min2 *= base;
      max2 /= base;
    } else {
      min2 /= base;
      max2 *= base;
    }
  }
  let logFn = base == 10 ? log10 : log2;
  let growMinAbs = minSign == 1 ? floor : ceil;
  let growMaxAbs = maxSign == 1 ? ceil : floor;
  let minExp = growMinAbs(logFn(abs(min2)));
  let maxExp = growMaxAbs(logFn(abs(max2)));
  let minIncr = pow(base, minExp);
  let maxIncr = pow(base, maxExp);
  if (base == 10) {
    if (minExp < 0)
      minIncr = roundDec(minIncr, -minExp);
    if (maxExp < 0)
      maxIncr = roundDec(maxIncr, -maxExp);
  }
  if (fullMags || base == 2) {
    min2 = minIncr * minSign;
    max2 = maxIncr * maxSign;
  } else {
    min2 = incrRoundDn(min2, minIncr);
    max2 = incrRoundUp(max2, maxIncr);
  }
  return [min2, max2];
}
function rangeAsinh(min2, max2, base, fullMags) {
  let minMax = rangeLog(min2, max2, base, fullMags);
  if (min2 == 0)
    minMax[0] = 0;
  if (max2 == 0)
    minMax[1] = 0;
  return minMax;
}
var rangePad = 0.1;
var autoRangePart = {
  mode: 3,
  pad: rangePad
};
var _eqRangePart = {
  pad: 0,
  soft: null,
  mode: 0
};
var _eqRange = {
  min: _eqRangePart,
  max: _eqRangePart
};
function rangeNum(_min, _max, mult, extra) {
  if (isObj(mult))
    return _rangeNum(_min, _max, mult);
  _eqRangePart.pad = mult;
  _eqRangePart.soft = extra ? 0 : null;
  _eqRangePart.mode = extra ? 3 : 0;
  return _rangeNum(_min, _max, _eqRange);
}
function ifNull(lh, rh) {
  return lh == null ? rh : lh;
}
function hasData(data, idx0, idx1) {
  idx0 = ifNull(idx0, 0);
  idx1 = ifNull(idx1, data.length - 1);
  while (idx0 <= idx1) {
    if (data[idx0] != null)
      return true;
    idx0++;
  }
  return false;
}
function _rangeNum(_min, _max, cfg) {
  let cmin = cfg.min;
  let cmax = cfg.max;
  let padMin = ifNull(cmin.pad, 0);
  let padMax = ifNull(cmax.pad, 0);
  let hardMin = ifNull(cmin.hard, -inf);
  let hardMax = ifNull(cmax.hard, inf);
  let softMin = ifNull(cmin.soft, inf);
  let softMax = ifNull(cmax.soft, -inf);
  let softMinMode = ifNull(cmin.mode, 0);
  let softMaxMode = ifNull(cmax.mode, 0);
  let delta = _max - _min;
  let deltaMag = log10(delta);
  let scalarMax = max(abs(_min), abs(_max));
  let scalarMag = log10(scalarMax);
  let scalarMagDelta = abs(scalarMag - deltaMag);
  if (delta < 1e-24 || scalarMagDelta > 10) {
    delta = 0;
    if (_min == 0 || _max == 0) {
      delta = 1e-24;
      if (softMinMode == 2 && softMin != inf)
        padMin = 0;
      if (softMaxMode == 2 && softMax != -inf)
        padMax = 0;
    }
  }
  let nonZeroDelta = delta || scalarMax || 1e3;
  let mag = log10(nonZeroDelta);
  let base = pow(10, floor(mag));
  let _padMin = nonZeroDelta * (delta == 0 ? _min == 0 ? 0.1 : 1 : padMin);
  let _newMin = roundDec(incrRoundDn(_min - _padMin, base / 10), 24);
  let _softMin = _min >= softMin && (softMinMode == 1 || softMinMode == 3 && _newMin <= softMin || softMinMode == 2 && _newMin >= softMin) ? softMin : inf;
  let minLim = max(hardMin, _newMin < _softMin && _min >= _softMin ? _softMin : min(_softMin, _newMin));
  let _padMax = nonZeroDelta * (delta == 0 ? _max == 0 ? 0.1 : 1 : padMax);
  let _newMax = roundDec(incrRoundUp(_max + _padMax, base / 10), 24);
  let _softMax = _max <= softMax && (softMaxMode == 1 || softMaxMode == 3 && _newMax >= softMax || softMaxMode == 2 && _newMax <= softMax) ? softMax : -inf;
  let maxLim = min(hardMax, _newMax > _softMax && _max <= _softMax ? _softMax : max(_softMax, _newMax));
  if (minLim == maxLim && minLim == 0)
    maxLim = 100;
  return [minLim, maxLim];
}
var numFormatter = new Intl.NumberFormat(domEnv ? nav.language : "en-US");
var fmtNum = (val) => numFormatter.format(val);
var M = Math;
var PI = M.PI;
var abs = M.abs;
var floor = M.floor;
var round = M.round;
var ceil = M.ceil;
var min = M.min;
var max = M.max;
var pow = M.pow;
var sign = M.sign;
var log10 = M.log10;
var log2 = M.log2;
var sinh = (v3, linthresh = 1) => M.sinh(v3) * linthresh;
var asinh = (v3, linthresh = 1) => M.asinh(v3 / linthresh);
var inf = Infinity;
function numIntDigits(x2) {
  return (log10((x2 ^ x2 >> 31) - (x2 >> 31)) | 0) + 1;
}
function clamp(num, _min, _max) {
  return min(max(num, _min), _max);
}
function isFn(v3) {
  return typeof v3 == "function";
}
function fnOrSelf(v3) {
  return isFn(v3) ? v3 : () => v3;
}
var noop = () => {
};
var retArg0 = (_0) => _0;
var retArg1 = (_0, _1) => _1;
var retNull = (_4) => null;
var retTrue = (_4) => true;
var retEq = (a4, b2) => a4 == b2;
var regex6 = /\.\d*?(?=9{6,}|0{6,})/gm;
var fixFloat = (val) => {
  if (isInt(val) || fixedDec.has(val))
    return val;
  const str = `${val}`;
  const match = str.match(regex6);
  if (match == null)
    return val;
  let len = match[0].length - 1;
  if (str.indexOf("e-") != -1) {
    let [num, exp] = str.split("e");
    return +`${fixFloat(num)}e${exp}`;
  }
  return roundDec(val, len);
};
function incrRound(num, incr) {
  return fixFloat(roundDec(fixFloat(num / incr)) * incr);
}
function incrRoundUp(num, incr) {
  return fixFloat(ceil(fixFloat(num / incr)) * incr);
}
function incrRoundDn(num, incr) {
  return fixFloat(floor(fixFloat(num / incr)) * incr);
}
function roundDec(val, dec = 0) {
  if (isInt(val))
    return val;
  let p3 = 10 ** dec;
  let n2 = val * p3 * (1 + Number.EPSILON);
  return round(n2) / p3;
}
var fixedDec = /* @__PURE__ */ new Map();
function guessDec(num) {
  return (("" + num).split(".")[1] || "").length;
}
function genIncrs(base, minExp, maxExp, mults) {
  let incrs = [];
  let multDec = mults.map(guessDec);
  for (let exp = minExp; exp < maxExp; exp++) {
    let expa = abs(exp);
    let mag = roundDec(pow(base, exp), expa);
    for (let i3 = 0; i3 < mults.length; i3++) {
      let _incr = base == 10 ? +`${mults[i3]}e${exp}` : mults[i3] * mag;
      let dec = (exp >= 0 ? 0 : expa) + (exp >= multDec[i3] ? 0 : multDec[i3]);
      let incr = base == 10 ? _incr : roundDec(_incr, dec);
      incrs.push(incr);
      fixedDec.set(incr, dec);
    }
  }
  return incrs;
}
var EMPTY_OBJ = {};
var EMPTY_ARR = [];
var nullNullTuple = [null, null];
var isArr = Array.isArray;
var isInt = Number.isInteger;
var isUndef = (v3) => v3 === void 0;
function isStr(v3) {
  return typeof v3 == "string";
}
function isObj(v3) {
  let is = false;
  if (v3 != null) {
    let c3 = v3.constructor;
    is = c3 == null || c3 == Object;
  }
  return is;
}
function fastIsObj(v3) {
  return v3 != null && typeof v3 == "object";
}
var TypedArray = Object.getPrototypeOf(Uint8Array);
var __proto__ = "__proto__";
function copy(o4, _isObj = isObj) {
  let out;
  if (isArr(o4)) {
    let val = o4.find((v3) => v3 != null);
    if (isArr(val) || _isObj(val)) {
      out = Array(o4.length);
      for (let i3 = 0; i3 < o4.length; i3++)
        out[i3] = copy(o4[i3], _isObj);
    } else
      out = o4.slice();
  } else if (o4 instanceof TypedArray)
    out = o4.slice();
  else if (_isObj(o4)) {
    out = {};
    for (let k2 in o4) {
      if (k2 != __proto__)
        out[k2] = copy(o4[k2], _isObj);
    }
  } else
    out = o4;
  return out;
}
function assign(targ) {
  let args = arguments;
  for (let i3 = 1; i3 < args.length; i3++) {
    let src = args[i3];
    for (let key in src) {
      if (key != __proto__) {
        if (isObj(targ[key]))
          assign(targ[key], copy(src[key]));
        else
          targ[key] = copy(src[key]);
      }
    }
  }
  return targ;
}
var NULL_REMOVE = 0;
var NULL_RETAIN = 1;
var NULL_EXPAND = 2;
function nullExpand(yVals, nullIdxs, alignedLen) {
  for (let i3 = 0, xi, lastNullIdx = -1; i3 < nullIdxs.length; i3++) {
    let nullIdx = nullIdxs[i3];
    if (nullIdx > lastNullIdx) {
      xi = nullIdx - 1;
      while (xi >= 0 && yVals[xi] == null)
        yVals[xi--] = null;
      xi = nullIdx + 1;
      while (xi < alignedLen && yVals[xi] == null)
        yVals[lastNullIdx = xi++] = null;
    }
  }
}
function join(tables, nullModes) {
  if (allHeadersSame(tables)) {
    let table = tables[0].slice();
    for (let i3 = 1; i3 < tables.length; i3++)
      table.push(...tables[i3].slice(1));
    if (!isAsc(table[0]))
      table = sortCols(table);
    return table;
  }
  let xVals = /* @__PURE__ */ new Set();
  for (let ti = 0; ti < tables.length; ti++) {
    let t3 = tables[ti];
    let xs = t3[0];
    let len = xs.length;
    for (let i3 = 0; i3 < len; i3++)
      xVals.add(xs[i3]);
  }
  let data = [Array.from(xVals).sort((a4, b2) => a4 - b2)];
  let alignedLen = data[0].length;
  let xIdxs = /* @__PURE__ */ new Map();
  for (let i3 = 0; i3 < alignedLen; i3++)
    xIdxs.set(data[0][i3], i3);
  for (let ti = 0; ti < tables.length; ti++) {
    let t3 = tables[ti];
    let xs = t3[0];
    for (let si = 1; si < t3.length; si++) {
      let ys = t3[si];
      let yVals = Array(alignedLen).fill(void 0);
      let nullMode = nullModes ? nullModes[ti][si] : NULL_RETAIN;
      let nullIdxs = [];
      for (let i3 = 0; i3 < ys.length; i3++) {
        let yVal = ys[i3];
        let alignedIdx = xIdxs.get(xs[i3]);
        if (yVal === null) {
          if (nullMode != NULL_REMOVE) {
            yVals[alignedIdx] = yVal;
            if (nullMode == NULL_EXPAND)
              nullIdxs.push(alignedIdx);
          }
        } else
          yVals[alignedIdx] = yVal;
      }
      nullExpand(yVals, nullIdxs, alignedLen);
      data.push(yVals);
    }
  }
  return data;
}
var microTask = typeof queueMicrotask == "undefined" ? (fn) => Promise.resolve().then(fn) : queueMicrotask;
function sortCols(table) {
  let head = table[0];
  let rlen = head.length;
  let idxs = Array(rlen);
  for (let i3 = 0; i3 < idxs.length; i3++)
    idxs[i3] = i3;
  idxs.sort((i0, i1) => head[i0] - head[i1]);
  let table2 = [];
  for (let i3 = 0; i3 < table.length; i3++) {
    let row = table[i3];
    let row2 = Array(rlen);
    for (let j2 = 0; j2 < rlen; j2++)
      row2[j2] = row[idxs[j2]];
    table2.push(row2);
  }
  return table2;
}
function allHeadersSame(tables) {
  let vals0 = tables[0][0];
  let len0 = vals0.length;
  for (let i3 = 1; i3 < tables.length; i3++) {
    let vals1 = tables[i3][0];
    if (vals1.length != len0)
      return false;
    if (vals1 != vals0) {
      for (let j2 = 0; j2 < len0; j2++) {
        if (vals1[j2] != vals0[j2])
          return false;
      }
    }
  }
  return true;
}
function isAsc(vals, samples = 100) {
  const len = vals.length;
  if (len <= 1)
    return true;
  let firstIdx = 0;
  let lastIdx = len - 1;
  while (firstIdx <= lastIdx && vals[firstIdx] == null)
    firstIdx++;
  while (lastIdx >= firstIdx && vals[lastIdx] == null)
    lastIdx--;
  if (lastIdx <= firstIdx)
    return true;
  const stride = max(1, floor((lastIdx - firstIdx + 1) / samples));
  for (let prevVal = vals[firstIdx], i3 = firstIdx + stride; i3 <= lastIdx; i3 += stride) {
    const v3 = vals[i3];
    if (v3 != null) {
      if (v3 <= prevVal)
        return false;
      prevVal = v3;
    }
  }
  return true;
}
var months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December"
];
var days = [
  "Sunday",
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday"
];
function slice3(str) {
  return str.slice(0, 3);
}
var days3 = days.map(slice3);
var months3 = months.map(slice3);
var engNames = {
  MMMM: months,
  MMM: months3,
  WWWW: days,
  WWW: days3
};
function zeroPad2(int) {
  return (int < 10 ? "0" : "") + int;
}
function zeroPad3(int) {
  return (int < 10 ? "00" : int < 100 ? "0" : "") + int;
}
var subs = {
  // 2019
  YYYY: (d3) => d3.getFullYear(),
  // 19
  YY: (d3) => (d3.getFullYear() + "").slice(2),
  // July
  MMMM: (d3, names) => names.MMMM[d3.getMonth()],
  // Jul
  MMM: (d3, names) => names.MMM[d3.getMonth()],
  // 07
  MM: (d3) => zeroPad2(d3.getMonth() + 1),
  // 7
  M: (d3) => d3.getMonth() + 1,
  // 09
  DD: (d3) => zeroPad2(d3.getDate()),
  // 9
  D: (d3) => d3.getDate(),
  // Monday
  WWWW: (d3, names) => names.WWWW[d3.getDay()],
  // Mon
  WWW: (d3, names) => names.WWW[d3.getDay()],
  // 03
  HH: (d3) => zeroPad2(d3.getHours()),
  // 3
  H: (d3) => d3.getHours(),
  // 9 (12hr, unpadded)
  h: (d3) => {
    let h3 = d3.getHours();
    return h3 == 0 ? 12 : h3 > 12 ? h3 - 12 : h3;
  },
  // AM
  AA: (d3) => d3.getHours() >= 12 ? "PM" : "AM",
  // am
  aa: (d3) => d3.getHours() >= 12 ? "pm" : "am",
  // a
  a: (d3) => d3.getHours() >= 12 ? "p" : "a",
  // 09
  mm: (d3) => zeroPad2(d3.getMinutes()),
  // 9
  m: (d3) => d3.getMinutes(),
  // 09
  ss: (d3) => zeroPad2(d3.getSeconds()),
  // 9
  s: (d3) => d3.getSeconds(),
  // 374
  fff: (d3) => zeroPad3(d3.getMilliseconds())
};
function fmtDate(tpl, names) {
  names = names || engNames;
  let parts = [];
  let R = /\{([a-z]+)\}|[^{]+/gi, m3;
  while (m3 = R.exec(tpl))
    parts.push(m3[0][0] == "{" ? subs[m3[1]] : m3[0]);
  return (d3) => {
    let out = "";
    for (let i3 = 0; i3 < parts.length; i3++)
      out += typeof parts[i3] == "string" ? parts[i3] : parts[i3](d3, names);
    return out;
  };
}
var localTz = new Intl.DateTimeFormat().resolvedOptions().timeZone;
function tzDate(date, tz) {
  let date2;
  if (tz == "UTC" || tz == "Etc/UTC")
    date2 = new Date(+date + date.getTimezoneOffset() * 6e4);
  else if (tz == localTz)
    date2 = date;
  else {
    date2 = new Date(date.toLocaleString("en-US", { timeZone: tz }));
    date2.setMilliseconds(date.getMilliseconds());
  }
  return date2;
}
var onlyWhole = (v3) => v3 % 1 == 0;
var allMults = [1, 2, 2.5, 5];
var decIncrs = genIncrs(10, -32, 0, allMults);
var oneIncrs = genIncrs(10, 0, 32, allMults);
var wholeIncrs = oneIncrs.filter(onlyWhole);
var numIncrs = decIncrs.concat(oneIncrs);
var NL = "\n";
var yyyy = "{YYYY}";
var NLyyyy = NL + yyyy;
var md = "{M}/{D}";
var NLmd = NL + md;
var NLmdyy = NLmd + "/{YY}";
var aa = "{aa}";
var hmm = "{h}:{mm}";
var hmmaa = hmm + aa;
var NLhmmaa = NL + hmmaa;
var ss = ":{ss}";
var _3 = null;
function genTimeStuffs(ms) {
  let s3 = ms * 1e3, m3 = s3 * 60, h3 = m3 * 60, d3 = h3 * 24, mo = d3 * 30, y3 = d3 * 365;
  let subSecIncrs = ms == 1 ? genIncrs(10, 0, 3, allMults).filter(onlyWhole) : genIncrs(10, -3, 0, allMults);
  let timeIncrs = subSecIncrs.concat([
    // minute divisors (# of secs)
    s3,
    s3 * 5,
    s3 * 10,
    s3 * 15,
    s3 * 30,
    // hour divisors (# of mins)
    m3,
    m3 * 5,
    m3 * 10,
    m3 * 15,
    m3 * 30,
    // day divisors (# of hrs)
    h3,
    h3 * 2,
    h3 * 3,
    h3 * 4,
    h3 * 6,
    h3 * 8,
    h3 * 12,
    // month divisors TODO: need more?
    d3,
    d3 * 2,
    d3 * 3,
    d3 * 4,
    d3 * 5,
    d3 * 6,
    d3 * 7,
    d3 * 8,
    d3 * 9,
    d3 * 10,
    d3 * 15,
    // year divisors (# months, approx)
    mo,
    mo * 2,
    mo * 3,
    mo * 4,
    mo * 6,
    // century divisors
    y3,
    y3 * 2,
    y3 * 5,
    y3 * 10,
    y3 * 25,
    y3 * 50,
    y3 * 100
  ]);
  const _timeAxisStamps = [
    //   tick incr    default          year                    month   day                   hour    min       sec   mode
    [y3, yyyy, _3, _3, _3, _3, _3, _3, 1],
    [d3 * 28, "{MMM}", NLyyyy, _3, _3, _3, _3, _3, 1],
    [d3, md, NLyyyy, _3, _3, _3, _3, _3, 1],
    [h3, "{h}" + aa, NLmdyy, _3, NLmd, _3, _3, _3, 1],
    [m3, hmmaa, NLmdyy, _3, NLmd, _3, _3, _3, 1],
    [s3, ss, NLmdyy + " " + hmmaa, _3, NLmd + " " + hmmaa, _3, NLhmmaa, _3, 1],
    [ms, ss + ".{fff}", NLmdyy + " " + hmmaa, _3, NLmd + " " + hmmaa, _3, NLhmmaa, _3, 1]
  ];
  function timeAxisSplits(tzDate2) {
    return (self, axisIdx, scaleMin, scaleMax, foundIncr, foundSpace) => {
      let splits = [];
      let isYr = foundIncr >= y3;
      let isMo = foundIncr >= mo && foundIncr < y3;
      let minDate = tzDate2(scaleMin);
      let minDateTs = roundDec(minDate * ms, 3);
      let minMin = mkDate(minDate.getFullYear(), isYr ? 0 : minDate.getMonth(), isMo || isYr ? 1 : minDate.getDate());
      let minMinTs = roundDec(minMin * ms, 3);
      if (isMo || isYr) {
        let moIncr = isMo ? foundIncr / mo : 0;
        let yrIncr = isYr ? foundIncr / y3 : 0;
        let split = minDateTs == minMinTs ? minDateTs : roundDec(mkDate(minMin.getFullYear() + yrIncr, minMin.getMonth() + moIncr, 1) * ms, 3);
        let splitDate = new Date(round(split / ms));
        let baseYear = splitDate.getFullYear();
        let baseMonth = splitDate.getMonth();
        for (let i3 = 0; split <= scaleMax; i3++) {
          let next = mkDate(baseYear + yrIncr * i3, baseMonth + moIncr * i3, 1);
          let offs = next - tzDate2(roundDec(next * ms, 3));
          split = roundDec((+next + offs) * ms, 3);
          if (split <= scaleMax)
            splits.push(split);
        }
      } else {
        let incr0 = foundIncr >= d3 ? d3 : foundIncr;
        let tzOffset = floor(scaleMin) - floor(minDateTs);
        let split = minMinTs + tzOffset + incrRoundUp(minDateTs - minMinTs, incr0);
        splits.push(split);
        let date0 = tzDate2(split);
        let prevHour = date0.getHours() + date0.getMinutes() / m3 + date0.getSeconds() / h3;
        let incrHours = foundIncr / h3;
        let minSpace = self.axes[axisIdx]._space;
        let pctSpace = foundSpace / minSpace;
        while (1) {
          split = roundDec(split + foundIncr, ms == 1 ? 0 : 3);
          if (split > scaleMax)
            break;
          if (incrHours > 1) {
            let expectedHour = floor(roundDec(prevHour + incrHours, 6)) % 24;
            let splitDate = tzDate2(split);
            let actualHour = splitDate.getHours();
            let dstShift = actualHour - expectedHour;
            if (dstShift > 1)
              dstShift = -1;
            split -= dstShift * h3;
            prevHour = (prevHour + incrHours) % 24;
            let prevSplit = splits[splits.length - 1];
            let pctIncr = roundDec((split - prevSplit) / foundIncr, 3);
            if (pctIncr * pctSpace >= 0.7)
              splits.push(split);
          } else
            splits.push(split);
        }
      }
      return splits;
    };
  }
  return [
    timeIncrs,
    _timeAxisStamps,
    timeAxisSplits
  ];
}
var [timeIncrsMs, _timeAxisStampsMs, timeAxisSplitsMs] = genTimeStuffs(1);
var [timeIncrsS, _timeAxisStampsS, timeAxisSplitsS] = genTimeStuffs(1e-3);
genIncrs(2, -53, 53, [1]);
function timeAxisStamps(stampCfg, fmtDate2) {
  return stampCfg.map((s3) => s3.map(
    (v3, i3) => i3 == 0 || i3 == 8 || v3 == null ? v3 : fmtDate2(i3 == 1 || s3[8] == 0 ? v3 : s3[1] + v3)
  ));
}
function timeAxisVals(tzDate2, stamps) {
  return (self, splits, axisIdx, foundSpace, foundIncr) => {
    let s3 = stamps.find((s4) => foundIncr >= s4[0]) || stamps[stamps.length - 1];
    let prevYear;
    let prevMnth;
    let prevDate;
    let prevHour;
    let prevMins;
    let prevSecs;
    return splits.map((split) => {
      let date = tzDate2(split);
      let newYear = date.getFullYear();
      let newMnth = date.getMonth();
      let newDate = date.getDate();
      let newHour = date.getHours();
      let newMins = date.getMinutes();
      let newSecs = date.getSeconds();
      let stamp = newYear != prevYear && s3[2] || newMnth != prevMnth && s3[3] || newDate != prevDate && s3[4] || newHour != prevHour && s3[5] || newMins != prevMins && s3[6] || newSecs != prevSecs && s3[7] || s3[1];
      prevYear = newYear;
      prevMnth = newMnth;
      prevDate = newDate;
      prevHour = newHour;
      prevMins = newMins;
      prevSecs = newSecs;
      return stamp(date);
    });
  };
}
function timeAxisVal(tzDate2, dateTpl) {
  let stamp = fmtDate(dateTpl);
  return (self, splits, axisIdx, foundSpace, foundIncr) => splits.map((split) => stamp(tzDate2(split)));
}
function mkDate(y3, m3, d3) {
  return new Date(y3, m3, d3);
}
function timeSeriesStamp(stampCfg, fmtDate2) {
  return fmtDate2(stampCfg);
}
var _timeSeriesStamp = "{YYYY}-{MM}-{DD} {h}:{mm}{aa}";
function timeSeriesVal(tzDate2, stamp) {
  return (self, val, seriesIdx, dataIdx) => dataIdx == null ? LEGEND_DISP : stamp(tzDate2(val));
}
function legendStroke(self, seriesIdx) {
  let s3 = self.series[seriesIdx];
  return s3.width ? s3.stroke(self, seriesIdx) : s3.points.width ? s3.points.stroke(self, seriesIdx) : null;
}
function legendFill(self, seriesIdx) {
  return self.series[seriesIdx].fill(self, seriesIdx);
}
var legendOpts = {
  show: true,
  live: true,
  isolate: false,
  mount: noop,
  markers: {
    show: true,
    width: 2,
    stroke: legendStroke,
    fill: legendFill,
    dash: "solid"
  },
  idx: null,
  idxs: null,
  values: []
};
function cursorPointShow(self, si) {
  let o4 = self.cursor.points;
  let pt = placeDiv();
  let size = o4.size(self, si);
  setStylePx(pt, WIDTH, size);
  setStylePx(pt, HEIGHT, size);
  let mar = size / -2;
  setStylePx(pt, "marginLeft", mar);
  setStylePx(pt, "marginTop", mar);
  let width = o4.width(self, si, size);
  width && setStylePx(pt, "borderWidth", width);
  return pt;
}
function cursorPointFill(self, si) {
  let sp = self.series[si].points;
  return sp._fill || sp._stroke;
}
function cursorPointStroke(self, si) {
  let sp = self.series[si].points;
  return sp._stroke || sp._fill;
}
function cursorPointSize(self, si) {
  let sp = self.series[si].points;
  return sp.size;
}
var moveTuple = [0, 0];
function cursorMove(self, mouseLeft1, mouseTop1) {
  moveTuple[0] = mouseLeft1;
  moveTuple[1] = mouseTop1;
  return moveTuple;
}
function filtBtn0(self, targ, handle, onlyTarg = true) {
  return (e3) => {
    e3.button == 0 && (!onlyTarg || e3.target == targ) && handle(e3);
  };
}
function filtTarg(self, targ, handle, onlyTarg = true) {
  return (e3) => {
    (!onlyTarg || e3.target == targ) && handle(e3);
  };
}
var cursorOpts = {
  show: true,
  x: true,
  y: true,
  lock: false,
  move: cursorMove,
  points: {
    one: false,
    show: cursorPointShow,
    size: cursorPointSize,
    width: 0,
    stroke: cursorPointStroke,
    fill: cursorPointFill
  },
  bind: {
    mousedown: filtBtn0,
    mouseup: filtBtn0,
    click: filtBtn0,
    // legend clicks, not .u-over clicks
    dblclick: filtBtn0,
    mousemove: filtTarg,
    mouseleave: filtTarg,
    mouseenter: filtTarg
  },
  drag: {
    setScale: true,
    x: true,
    y: false,
    dist: 0,
    uni: null,
    click: (self, e3) => {
      e3.stopPropagation();
      e3.stopImmediatePropagation();
    },
    _x: false,
    _y: false
  },
  focus: {
    dist: (self, seriesIdx, dataIdx, valPos, curPos) => valPos - curPos,
    prox: -1,
    bias: 0
  },
  hover: {
    skip: [void 0],
    prox: null,
    bias: 0
  },
  left: -10,
  top: -10,
  idx: null,
  dataIdx: null,
  idxs: null,
  event: null
};
var axisLines = {
  show: true,
  stroke: "rgba(0,0,0,0.07)",
  width: 2
  //	dash: [],
};
var grid = assign({}, axisLines, {
  filter: retArg1
});
var ticks = assign({}, grid, {
  size: 10
});
var border = assign({}, axisLines, {
  show: false
});
var font = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"';
var labelFont = "bold " + font;
var lineGap = 1.5;
var xAxisOpts = {
  show: true,
  scale: "x",
  stroke: hexBlack,
  space: 50,
  gap: 5,
  alignTo: 1,
  size: 50,
  labelGap: 0,
  labelSize: 30,
  labelFont,
  side: 2,
  //	class: "x-vals",
  //	incrs: timeIncrs,
  //	values: timeVals,
  //	filter: retArg1,
  grid,
  ticks,
  border,
  font,
  lineGap,
  rotate: 0
};
var numSeriesLabel = "Value";
var timeSeriesLabel = "Time";
var xSeriesOpts = {
  show: true,
  scale: "x",
  auto: false,
  sorted: 1,
  //	label: "Time",
  //	value: v => stamp(new Date(v * 1e3)),
  // internal caches
  min: inf,
  max: -inf,
  idxs: []
};
function numAxisVals(self, splits, axisIdx, foundSpace, foundIncr) {
  return splits.map((v3) => v3 == null ? "" : fmtNum(v3));
}
function numAxisSplits(self, axisIdx, scaleMin, scaleMax, foundIncr, foundSpace, forceMin) {
  let splits = [];
  let numDec = fixedDec.get(foundIncr) || 0;
  scaleMin = forceMin ? scaleMin : roundDec(incrRoundUp(scaleMin, foundIncr), numDec);
  for (let val = scaleMin; val <= scaleMax; val = roundDec(val + foundIncr, numDec))
    splits.push(Object.is(val, -0) ? 0 : val);
  return splits;
}
function logAxisSplits(self, axisIdx, scaleMin, scaleMax, foundIncr, foundSpace, forceMin) {
  const splits = [];
  const logBase = self.scales[self.axes[axisIdx].scale].log;
  const logFn = logBase == 10 ? log10 : log2;
  const exp = floor(logFn(scaleMin));
  foundIncr = pow(logBase, exp);
  if (logBase == 10)
    foundIncr = numIncrs[closestIdx(foundIncr, numIncrs)];
  let split = scaleMin;
  let nextMagIncr = foundIncr * logBase;
  if (logBase == 10)
    nextMagIncr = numIncrs[closestIdx(nextMagIncr, numIncrs)];
  do {
    splits.push(split);
    split = split + foundIncr;
    if (logBase == 10 && !fixedDec.has(split))
      split = roundDec(split, fixedDec.get(foundIncr));
    if (split >= nextMagIncr) {
      foundIncr = split;
      nextMagIncr = foundIncr * logBase;
      if (logBase == 10)
        nextMagIncr = numIncrs[closestIdx(nextMagIncr, numIncrs)];
    }
  } while (split <= scaleMax);
  return splits;
}
function asinhAxisSplits(self, axisIdx, scaleMin, scaleMax, foundIncr, foundSpace, forceMin) {
  let sc = self.scales[self.axes[axisIdx].scale];
  let linthresh = sc.asinh;
  let posSplits = scaleMax > linthresh ? logAxisSplits(self, axisIdx, max(linthresh, scaleMin), scaleMax, foundIncr) : [linthresh];
  let zero = scaleMax >= 0 && scaleMin <= 0 ? [0] : [];
  let negSplits = scaleMin < -linthresh ? logAxisSplits(self, axisIdx, max(linthresh, -scaleMax), -scaleMin, foundIncr) : [linthresh];
  return negSplits.reverse().map((v3) => -v3).concat(zero, posSplits);
}
var RE_ALL = /./;
var RE_12357 = /[12357]/;
var RE_125 = /[125]/;
var RE_1 = /1/;
var _filt = (splits, distr, re, keepMod) => splits.map((v3, i3) => distr == 4 && v3 == 0 || i3 % keepMod == 0 && re.test(v3.toExponential()[v3 < 0 ? 1 : 0]) ? v3 : null);
function log10AxisValsFilt(self, splits, axisIdx, foundSpace, foundIncr) {
  let axis = self.axes[axisIdx];
  let scaleKey = axis.scale;
  let sc = self.scales[scaleKey];
  let valToPos = self.valToPos;
  let minSpace = axis._space;
  let _10 = valToPos(10, scaleKey);
  let re = valToPos(9, scaleKey) - _10 >= minSpace ? RE_ALL : valToPos(7, scaleKey) - _10 >= minSpace ? RE_12357 : valToPos(5, scaleKey) - _10 >= minSpace ? RE_125 : RE_1;
  if (re == RE_1) {
    let magSpace = abs(valToPos(1, scaleKey) - _10);
    if (magSpace < minSpace)
      return _filt(splits.slice().reverse(), sc.distr, re, ceil(minSpace / magSpace)).reverse();
  }
  return _filt(splits, sc.distr, re, 1);
}
function log2AxisValsFilt(self, splits, axisIdx, foundSpace, foundIncr) {
  let axis = self.axes[axisIdx];
  let scaleKey = axis.scale;
  let minSpace = axis._space;
  let valToPos = self.valToPos;
  let magSpace = abs(valToPos(1, scaleKey) - valToPos(2, scaleKey));
  if (magSpace < minSpace)
    return _filt(splits.slice().reverse(), 3, RE_ALL, ceil(minSpace / magSpace)).reverse();
  return splits;
}
function numSeriesVal(self, val, seriesIdx, dataIdx) {
  return dataIdx == null ? LEGEND_DISP : val == null ? "" : fmtNum(val);
}
var yAxisOpts = {
  show: true,
  scale: "y",
  stroke: hexBlack,
  space: 30,
  gap: 5,
  alignTo: 1,
  size: 50,
  labelGap: 0,
  labelSize: 30,
  labelFont,
  side: 3,
  //	class: "y-vals",
  //	incrs: numIncrs,
  //	values: (vals, space) => vals,
  //	filter: retArg1,
  grid,
  ticks,
  border,
  font,
  lineGap,
  rotate: 0
};
function ptDia(width, mult) {
  let dia = 3 + (width || 1) * 2;
  return roundDec(dia * mult, 3);
}
function seriesPointsShow(self, si) {
  let { scale, idxs } = self.series[0];
  let xData = self._data[0];
  let p0 = self.valToPos(xData[idxs[0]], scale, true);
  let p1 = self.valToPos(xData[idxs[1]], scale, true);
  let dim = abs(p1 - p0);
  let s3 = self.series[si];
  let maxPts = dim / (s3.points.space * pxRatio);
  return idxs[1] - idxs[0] <= maxPts;
}
var facet = {
  scale: null,
  auto: true,
  sorted: 0,
  // internal caches
  min: inf,
  max: -inf
};
var gaps = (self, seriesIdx, idx0, idx1, nullGaps) => nullGaps;
var xySeriesOpts = {
  show: true,
  auto: true,
  sorted: 0,
  gaps,
  alpha: 1,
  facets: [
    assign({}, facet, { scale: "x" }),
    assign({}, facet, { scale: "y" })
  ]
};
var ySeriesOpts = {
  scale: "y",
  auto: true,
  sorted: 0,
  show: true,
  spanGaps: false,
  gaps,
  alpha: 1,
  points: {
    show: seriesPointsShow,
    filter: null
    //  paths:
    //	stroke: "#000",
    //	fill: "#fff",
    //	width: 1,
    //	size: 10,
  },
  //	label: "Value",
  //	value: v => v,
  values: null,
  // internal caches
  min: inf,
  max: -inf,
  idxs: [],
  path: null,
  clip: null
};
function clampScale(self, val, scaleMin, scaleMax, scaleKey) {
  return scaleMin / 10;
}
var xScaleOpts = {
  time: FEAT_TIME,
  auto: true,
  distr: 1,
  log: 10,
  asinh: 1,
  min: null,
  max: null,
  dir: 1,
  ori: 0
};
var yScaleOpts = assign({}, xScaleOpts, {
  time: false,
  ori: 1
});
var syncs = {};
function _sync(key, opts) {
  let s3 = syncs[key];
  if (!s3) {
    s3 = {
      key,
      plots: [],
      sub(plot) {
        s3.plots.push(plot);
      },
      unsub(plot) {
        s3.plots = s3.plots.filter((c3) => c3 != plot);
      },
      pub(type, self, x2, y3, w3, h3, i3) {
        for (let j2 = 0; j2 < s3.plots.length; j2++)
          s3.plots[j2] != self && s3.plots[j2].pub(type, self, x2, y3, w3, h3, i3);
      }
    };
    if (key != null)
      syncs[key] = s3;
  }
  return s3;
}
var BAND_CLIP_FILL = 1 << 0;
var BAND_CLIP_STROKE = 1 << 1;
function orient(u3, seriesIdx, cb) {
  const mode = u3.mode;
  const series2 = u3.series[seriesIdx];
  const data = mode == 2 ? u3._data[seriesIdx] : u3._data;
  const scales = u3.scales;
  const bbox = u3.bbox;
  let dx = data[0], dy = mode == 2 ? data[1] : data[seriesIdx], sx = mode == 2 ? scales[series2.facets[0].scale] : scales[u3.series[0].scale], sy = mode == 2 ? scales[series2.facets[1].scale] : scales[series2.scale], l3 = bbox.left, t3 = bbox.top, w3 = bbox.width, h3 = bbox.height, H2 = u3.valToPosH, V2 = u3.valToPosV;
  return sx.ori == 0 ? cb(
    series2,
    dx,
    dy,
    sx,
    sy,
    H2,
    V2,
    l3,
    t3,
    w3,
    h3,
    moveToH,
    lineToH,
    rectH,
    arcH,
    bezierCurveToH
  ) : cb(
    series2,
    dx,
    dy,
    sx,
    sy,
    V2,
    H2,
    t3,
    l3,
    h3,
    w3,
    moveToV,
    lineToV,
    rectV,
    arcV,
    bezierCurveToV
  );
}
function bandFillClipDirs(self, seriesIdx) {
  let fillDir = 0;
  let clipDirs = 0;
  let bands = ifNull(self.bands, EMPTY_ARR);
  for (let i3 = 0; i3 < bands.length; i3++) {
    let b2 = bands[i3];
    if (b2.series[0] == seriesIdx)
      fillDir = b2.dir;
    else if (b2.series[1] == seriesIdx) {
      if (b2.dir == 1)
        clipDirs |= 1;
      else
        clipDirs |= 2;
    }
  }
  return [
    fillDir,
    clipDirs == 1 ? -1 : (
      // neg only
      clipDirs == 2 ? 1 : (
        // pos only
        clipDirs == 3 ? 2 : (
          // both
          0
        )
      )
    )
  ];
}
function seriesFillTo(self, seriesIdx, dataMin, dataMax, bandFillDir) {
  let mode = self.mode;
  let series2 = self.series[seriesIdx];
  let scaleKey = mode == 2 ? series2.facets[1].scale : series2.scale;
  let scale = self.scales[scaleKey];
  return bandFillDir == -1 ? scale.min : bandFillDir == 1 ? scale.max : scale.distr == 3 ? scale.dir == 1 ? scale.min : scale.max : 0;
}
function clipBandLine(self, seriesIdx, idx0, idx1, strokePath, clipDir) {
  return orient(self, seriesIdx, (series2, dataX, dataY, scaleX, scaleY, valToPosX, valToPosY, xOff, yOff, xDim, yDim) => {
    let pxRound = series2.pxRound;
    const dir = scaleX.dir * (scaleX.ori == 0 ? 1 : -1);
    const lineTo = scaleX.ori == 0 ? lineToH : lineToV;
    let frIdx, toIdx;
    if (dir == 1) {
      frIdx = idx0;
      toIdx = idx1;
    } else {
      frIdx = idx1;
      toIdx = idx0;
    }
    let x0 = pxRound(valToPosX(dataX[frIdx], scaleX, xDim, xOff));
    let y0 = pxRound(valToPosY(dataY[frIdx], scaleY, yDim, yOff));
    let x1 = pxRound(valToPosX(dataX[toIdx], scaleX, xDim, xOff));
    let yLimit = pxRound(valToPosY(clipDir == 1 ? scaleY.max : scaleY.min, scaleY, yDim, yOff));
    let clip = new Path2D(strokePath);
    lineTo(clip, x1, yLimit);
    lineTo(clip, x0, yLimit);
    lineTo(clip, x0, y0);
    return clip;
  });
}
function clipGaps(gaps2, ori, plotLft, plotTop, plotWid, plotHgt) {
  let clip = null;
  if (gaps2.length > 0) {
    clip = new Path2D();
    const rect2 = ori == 0 ? rectH : rectV;
    let prevGapEnd = plotLft;
    for (let i3 = 0; i3 < gaps2.length; i3++) {
      let g3 = gaps2[i3];
      if (g3[1] > g3[0]) {
        let w4 = g3[0] - prevGapEnd;
        w4 > 0 && rect2(clip, prevGapEnd, plotTop, w4, plotTop + plotHgt);
        prevGapEnd = g3[1];
      }
    }
    let w3 = plotLft + plotWid - prevGapEnd;
    let maxStrokeWidth = 10;
    w3 > 0 && rect2(clip, prevGapEnd, plotTop - maxStrokeWidth / 2, w3, plotTop + plotHgt + maxStrokeWidth);
  }
  return clip;
}
function addGap(gaps2, fromX, toX) {
  let prevGap = gaps2[gaps2.length - 1];
  if (prevGap && prevGap[0] == fromX)
    prevGap[1] = toX;
  else
    gaps2.push([fromX, toX]);
}
function findGaps(xs, ys, idx0, idx1, dir, pixelForX, align) {
  let gaps2 = [];
  let len = xs.length;
  for (let i3 = dir == 1 ? idx0 : idx1; i3 >= idx0 && i3 <= idx1; i3 += dir) {
    let yVal = ys[i3];
    if (yVal === null) {
      let fr = i3, to = i3;
      if (dir == 1) {
        while (++i3 <= idx1 && ys[i3] === null)
          to = i3;
      } else {
        while (--i3 >= idx0 && ys[i3] === null)
          to = i3;
      }
      let frPx = pixelForX(xs[fr]);
      let toPx = to == fr ? frPx : pixelForX(xs[to]);
      let fri2 = fr - dir;
      let frPx2 = align <= 0 && fri2 >= 0 && fri2 < len ? pixelForX(xs[fri2]) : frPx;
      frPx = frPx2;
      let toi2 = to + dir;
      let toPx2 = align >= 0 && toi2 >= 0 && toi2 < len ? pixelForX(xs[toi2]) : toPx;
      toPx = toPx2;
      if (toPx >= frPx)
        gaps2.push([frPx, toPx]);
    }
  }
  return gaps2;
}
function pxRoundGen(pxAlign) {
  return pxAlign == 0 ? retArg0 : pxAlign == 1 ? round : (v3) => incrRound(v3, pxAlign);
}
function rect(ori) {
  let moveTo = ori == 0 ? moveToH : moveToV;
  let arcTo = ori == 0 ? (p3, x1, y1, x2, y22, r3) => {
    p3.arcTo(x1, y1, x2, y22, r3);
  } : (p3, y1, x1, y22, x2, r3) => {
    p3.arcTo(x1, y1, x2, y22, r3);
  };
  let rect2 = ori == 0 ? (p3, x2, y3, w3, h3) => {
    p3.rect(x2, y3, w3, h3);
  } : (p3, y3, x2, h3, w3) => {
    p3.rect(x2, y3, w3, h3);
  };
  return (p3, x2, y3, w3, h3, endRad = 0, baseRad = 0) => {
    if (endRad == 0 && baseRad == 0)
      rect2(p3, x2, y3, w3, h3);
    else {
      endRad = min(endRad, w3 / 2, h3 / 2);
      baseRad = min(baseRad, w3 / 2, h3 / 2);
      moveTo(p3, x2 + endRad, y3);
      arcTo(p3, x2 + w3, y3, x2 + w3, y3 + h3, endRad);
      arcTo(p3, x2 + w3, y3 + h3, x2, y3 + h3, baseRad);
      arcTo(p3, x2, y3 + h3, x2, y3, baseRad);
      arcTo(p3, x2, y3, x2 + w3, y3, endRad);
      p3.closePath();
    }
  };
}
var moveToH = (p3, x2, y3) => {
  p3.moveTo(x2, y3);
};
var moveToV = (p3, y3, x2) => {
  p3.moveTo(x2, y3);
};
var lineToH = (p3, x2, y3) => {
  p3.lineTo(x2, y3);
};
var lineToV = (p3, y3, x2) => {
  p3.lineTo(x2, y3);
};
var rectH = rect(0);
var rectV = rect(1);
var arcH = (p3, x2, y3, r3, startAngle, endAngle) => {
  p3.arc(x2, y3, r3, startAngle, endAngle);
};
var arcV = (p3, y3, x2, r3, startAngle, endAngle) => {
  p3.arc(x2, y3, r3, startAngle, endAngle);
};
var bezierCurveToH = (p3, bp1x, bp1y, bp2x, bp2y, p2x, p2y) => {
  p3.bezierCurveTo(bp1x, bp1y, bp2x, bp2y, p2x, p2y);
};
var bezierCurveToV = (p3, bp1y, bp1x, bp2y, bp2x, p2y, p2x) => {
  p3.bezierCurveTo(bp1x, bp1y, bp2x, bp2y, p2x, p2y);
};
function points(opts) {
  return (u3, seriesIdx, idx0, idx1, filtIdxs) => {
    return orient(u3, seriesIdx, (series2, dataX, dataY, scaleX, scaleY, valToPosX, valToPosY, xOff, yOff, xDim, yDim) => {
      let { pxRound, points: points2 } = series2;
      let moveTo, arc;
      if (scaleX.ori == 0) {
        moveTo = moveToH;
        arc = arcH;
      } else {
        moveTo = moveToV;
        arc = arcV;
      }
      const width = roundDec(points2.width * pxRatio, 3);
      let rad = (points2.size - points2.width) / 2 * pxRatio;
      let dia = roundDec(rad * 2, 3);
      let fill = new Path2D();
      let clip = new Path2D();
      let { left: lft, top, width: wid, height: hgt } = u3.bbox;
      rectH(
        clip,
        lft - dia,
        top - dia,
        wid + dia * 2,
        hgt + dia * 2
      );
      const drawPoint = (pi) => {
        if (dataY[pi] != null) {
          let x2 = pxRound(valToPosX(dataX[pi], scaleX, xDim, xOff));
          let y3 = pxRound(valToPosY(dataY[pi], scaleY, yDim, yOff));
          moveTo(fill, x2 + rad, y3);
          arc(fill, x2, y3, rad, 0, PI * 2);
        }
      };
      if (filtIdxs)
        filtIdxs.forEach(drawPoint);
      else {
        for (let pi = idx0; pi <= idx1; pi++)
          drawPoint(pi);
      }
      return {
        stroke: width > 0 ? fill : null,
        fill,
        clip,
        flags: BAND_CLIP_FILL | BAND_CLIP_STROKE
      };
    });
  };
}
function _drawAcc(lineTo) {
  return (stroke, accX, minY, maxY, inY, outY) => {
    if (minY != maxY) {
      if (inY != minY && outY != minY)
        lineTo(stroke, accX, minY);
      if (inY != maxY && outY != maxY)
        lineTo(stroke, accX, maxY);
      lineTo(stroke, accX, outY);
    }
  };
}
var drawAccH = _drawAcc(lineToH);
var drawAccV = _drawAcc(lineToV);
function linear(opts) {
  const alignGaps = ifNull(opts?.alignGaps, 0);
  return (u3, seriesIdx, idx0, idx1) => {
    return orient(u3, seriesIdx, (series2, dataX, dataY, scaleX, scaleY, valToPosX, valToPosY, xOff, yOff, xDim, yDim) => {
      [idx0, idx1] = nonNullIdxs(dataY, idx0, idx1);
      let pxRound = series2.pxRound;
      let pixelForX = (val) => pxRound(valToPosX(val, scaleX, xDim, xOff));
      let pixelForY = (val) => pxRound(valToPosY(val, scaleY, yDim, yOff));
      let lineTo, drawAcc;
      if (scaleX.ori == 0) {
        lineTo = lineToH;
        drawAcc = drawAccH;
      } else {
        lineTo = lineToV;
        drawAcc = drawAccV;
      }
      const dir = scaleX.dir * (scaleX.ori == 0 ? 1 : -1);
      const _paths = { stroke: new Path2D(), fill: null, clip: null, band: null, gaps: null, flags: BAND_CLIP_FILL };
      const stroke = _paths.stroke;
      let hasGap = false;
      const decimate = idx1 - idx0 >= xDim * 4;
      if (decimate) {
        let xForPixel = (pos) => u3.posToVal(pos, scaleX.key, true);
        let minY = null, maxY = null, inY, outY, drawnAtX;
        let accX = pixelForX(dataX[dir == 1 ? idx0 : idx1]);
        let idx0px = pixelForX(dataX[idx0]);
        let idx1px = pixelForX(dataX[idx1]);
        let nextAccXVal = xForPixel(dir == 1 ? idx0px + 1 : idx1px - 1);
        for (let i3 = dir == 1 ? idx0 : idx1; i3 >= idx0 && i3 <= idx1; i3 += dir) {
          let xVal = dataX[i3];
          let reuseAccX = dir == 1 ? xVal < nextAccXVal : xVal > nextAccXVal;
          let x2 = reuseAccX ? accX : pixelForX(xVal);
          let yVal = dataY[i3];
          if (x2 == accX) {
            if (yVal != null) {
              outY = yVal;
              if (minY == null) {
                lineTo(stroke, x2, pixelForY(outY));
                inY = minY = maxY = outY;
              } else {
                if (outY < minY)
                  minY = outY;
                else if (outY > maxY)
                  maxY = outY;
              }
            } else {
              if (yVal === null)
                hasGap = true;
            }
          } else {
            if (minY != null)
              drawAcc(stroke, accX, pixelForY(minY), pixelForY(maxY), pixelForY(inY), pixelForY(outY));
            if (yVal != null) {
              outY = yVal;
              lineTo(stroke, x2, pixelForY(outY));
              minY = maxY = inY = outY;
            } else {
              minY = maxY = null;
              if (yVal === null)
                hasGap = true;
            }
            accX = x2;
            nextAccXVal = xForPixel(accX + dir);
          }
        }
        if (minY != null && minY != maxY && drawnAtX != accX)
          drawAcc(stroke, accX, pixelForY(minY), pixelForY(maxY), pixelForY(inY), pixelForY(outY));
      } else {
        for (let i3 = dir == 1 ? idx0 : idx1; i3 >= idx0 && i3 <= idx1; i3 += dir) {
          let yVal = dataY[i3];
          if (yVal === null)
            hasGap = true;
          else if (yVal != null)
            lineTo(stroke, pixelForX(dataX[i3]), pixelForY(yVal));
        }
      }
      let [bandFillDir, bandClipDir] = bandFillClipDirs(u3, seriesIdx);
      if (series2.fill != null || bandFillDir != 0) {
        let fill = _paths.fill = new Path2D(stroke);
        let fillToVal = series2.fillTo(u3, seriesIdx, series2.min, series2.max, bandFillDir);
        let fillToY = pixelForY(fillToVal);
        let frX = pixelForX(dataX[idx0]);
        let toX = pixelForX(dataX[idx1]);
        if (dir == -1)
          [toX, frX] = [frX, toX];
        lineTo(fill, toX, fillToY);
        lineTo(fill, frX, fillToY);
      }
      if (!series2.spanGaps) {
        let gaps2 = [];
        hasGap && gaps2.push(...findGaps(dataX, dataY, idx0, idx1, dir, pixelForX, alignGaps));
        _paths.gaps = gaps2 = series2.gaps(u3, seriesIdx, idx0, idx1, gaps2);
        _paths.clip = clipGaps(gaps2, scaleX.ori, xOff, yOff, xDim, yDim);
      }
      if (bandClipDir != 0) {
        _paths.band = bandClipDir == 2 ? [
          clipBandLine(u3, seriesIdx, idx0, idx1, stroke, -1),
          clipBandLine(u3, seriesIdx, idx0, idx1, stroke, 1)
        ] : clipBandLine(u3, seriesIdx, idx0, idx1, stroke, bandClipDir);
      }
      return _paths;
    });
  };
}
function stepped(opts) {
  const align = ifNull(opts.align, 1);
  const ascDesc = ifNull(opts.ascDesc, false);
  const alignGaps = ifNull(opts.alignGaps, 0);
  const extend = ifNull(opts.extend, false);
  return (u3, seriesIdx, idx0, idx1) => {
    return orient(u3, seriesIdx, (series2, dataX, dataY, scaleX, scaleY, valToPosX, valToPosY, xOff, yOff, xDim, yDim) => {
      [idx0, idx1] = nonNullIdxs(dataY, idx0, idx1);
      let pxRound = series2.pxRound;
      let { left, width } = u3.bbox;
      let pixelForX = (val) => pxRound(valToPosX(val, scaleX, xDim, xOff));
      let pixelForY = (val) => pxRound(valToPosY(val, scaleY, yDim, yOff));
      let lineTo = scaleX.ori == 0 ? lineToH : lineToV;
      const _paths = { stroke: new Path2D(), fill: null, clip: null, band: null, gaps: null, flags: BAND_CLIP_FILL };
      const stroke = _paths.stroke;
      const dir = scaleX.dir * (scaleX.ori == 0 ? 1 : -1);
      let prevYPos = pixelForY(dataY[dir == 1 ? idx0 : idx1]);
      let firstXPos = pixelForX(dataX[dir == 1 ? idx0 : idx1]);
      let prevXPos = firstXPos;
      let firstXPosExt = firstXPos;
      if (extend && align == -1) {
        firstXPosExt = left;
        lineTo(stroke, firstXPosExt, prevYPos);
      }
      lineTo(stroke, firstXPos, prevYPos);
      for (let i3 = dir == 1 ? idx0 : idx1; i3 >= idx0 && i3 <= idx1; i3 += dir) {
        let yVal1 = dataY[i3];
        if (yVal1 == null)
          continue;
        let x1 = pixelForX(dataX[i3]);
        let y1 = pixelForY(yVal1);
        if (align == 1)
          lineTo(stroke, x1, prevYPos);
        else
          lineTo(stroke, prevXPos, y1);
        lineTo(stroke, x1, y1);
        prevYPos = y1;
        prevXPos = x1;
      }
      let prevXPosExt = prevXPos;
      if (extend && align == 1) {
        prevXPosExt = left + width;
        lineTo(stroke, prevXPosExt, prevYPos);
      }
      let [bandFillDir, bandClipDir] = bandFillClipDirs(u3, seriesIdx);
      if (series2.fill != null || bandFillDir != 0) {
        let fill = _paths.fill = new Path2D(stroke);
        let fillTo = series2.fillTo(u3, seriesIdx, series2.min, series2.max, bandFillDir);
        let fillToY = pixelForY(fillTo);
        lineTo(fill, prevXPosExt, fillToY);
        lineTo(fill, firstXPosExt, fillToY);
      }
      if (!series2.spanGaps) {
        let gaps2 = [];
        gaps2.push(...findGaps(dataX, dataY, idx0, idx1, dir, pixelForX, alignGaps));
        let halfStroke = series2.width * pxRatio / 2;
        let startsOffset = ascDesc || align == 1 ? halfStroke : -halfStroke;
        let endsOffset = ascDesc || align == -1 ? -halfStroke : halfStroke;
        gaps2.forEach((g3) => {
          g3[0] += startsOffset;
          g3[1] += endsOffset;
        });
        _paths.gaps = gaps2 = series2.gaps(u3, seriesIdx, idx0, idx1, gaps2);
        _paths.clip = clipGaps(gaps2, scaleX.ori, xOff, yOff, xDim, yDim);
      }
      if (bandClipDir != 0) {
        _paths.band = bandClipDir == 2 ? [
          clipBandLine(u3, seriesIdx, idx0, idx1, stroke, -1),
          clipBandLine(u3, seriesIdx, idx0, idx1, stroke, 1)
        ] : clipBandLine(u3, seriesIdx, idx0, idx1, stroke, bandClipDir);
      }
      return _paths;
    });
  };
}
function findColWidth(dataX, dataY, valToPosX, scaleX, xDim, xOff, colWid = inf) {
  if (dataX.length > 1) {
    let prevIdx = null;
    for (let i3 = 0, minDelta = Infinity; i3 < dataX.length; i3++) {
      if (dataY[i3] !== void 0) {
        if (prevIdx != null) {
          let delta = abs(dataX[i3] - dataX[prevIdx]);
          if (delta < minDelta) {
            minDelta = delta;
            colWid = abs(valToPosX(dataX[i3], scaleX, xDim, xOff) - valToPosX(dataX[prevIdx], scaleX, xDim, xOff));
          }
        }
        prevIdx = i3;
      }
    }
  }
  return colWid;
}
function bars(opts) {
  opts = opts || EMPTY_OBJ;
  const size = ifNull(opts.size, [0.6, inf, 1]);
  const align = opts.align || 0;
  const _extraGap = opts.gap || 0;
  let ro = opts.radius;
  ro = // [valueRadius, baselineRadius]
  ro == null ? [0, 0] : typeof ro == "number" ? [ro, 0] : ro;
  const radiusFn = fnOrSelf(ro);
  const gapFactor = 1 - size[0];
  const _maxWidth = ifNull(size[1], inf);
  const _minWidth = ifNull(size[2], 1);
  const disp = ifNull(opts.disp, EMPTY_OBJ);
  const _each = ifNull(opts.each, (_4) => {
  });
  const { fill: dispFills, stroke: dispStrokes } = disp;
  return (u3, seriesIdx, idx0, idx1) => {
    return orient(u3, seriesIdx, (series2, dataX, dataY, scaleX, scaleY, valToPosX, valToPosY, xOff, yOff, xDim, yDim) => {
      let pxRound = series2.pxRound;
      let _align = align;
      let extraGap = _extraGap * pxRatio;
      let maxWidth = _maxWidth * pxRatio;
      let minWidth = _minWidth * pxRatio;
      let valRadius, baseRadius;
      if (scaleX.ori == 0)
        [valRadius, baseRadius] = radiusFn(u3, seriesIdx);
      else
        [baseRadius, valRadius] = radiusFn(u3, seriesIdx);
      const _dirX = scaleX.dir * (scaleX.ori == 0 ? 1 : -1);
      let rect2 = scaleX.ori == 0 ? rectH : rectV;
      let each = scaleX.ori == 0 ? _each : (u4, seriesIdx2, i3, top, lft, hgt, wid) => {
        _each(u4, seriesIdx2, i3, lft, top, wid, hgt);
      };
      let band = ifNull(u3.bands, EMPTY_ARR).find((b2) => b2.series[0] == seriesIdx);
      let fillDir = band != null ? band.dir : 0;
      let fillTo = series2.fillTo(u3, seriesIdx, series2.min, series2.max, fillDir);
      let fillToY = pxRound(valToPosY(fillTo, scaleY, yDim, yOff));
      let xShift, barWid, fullGap, colWid = xDim;
      let strokeWidth = pxRound(series2.width * pxRatio);
      let multiPath = false;
      let fillColors = null;
      let fillPaths = null;
      let strokeColors = null;
      let strokePaths = null;
      if (dispFills != null && (strokeWidth == 0 || dispStrokes != null)) {
        multiPath = true;
        fillColors = dispFills.values(u3, seriesIdx, idx0, idx1);
        fillPaths = /* @__PURE__ */ new Map();
        new Set(fillColors).forEach((color) => {
          if (color != null)
            fillPaths.set(color, new Path2D());
        });
        if (strokeWidth > 0) {
          strokeColors = dispStrokes.values(u3, seriesIdx, idx0, idx1);
          strokePaths = /* @__PURE__ */ new Map();
          new Set(strokeColors).forEach((color) => {
            if (color != null)
              strokePaths.set(color, new Path2D());
          });
        }
      }
      let { x0, size: size2 } = disp;
      if (x0 != null && size2 != null) {
        _align = 1;
        dataX = x0.values(u3, seriesIdx, idx0, idx1);
        if (x0.unit == 2)
          dataX = dataX.map((pct) => u3.posToVal(xOff + pct * xDim, scaleX.key, true));
        let sizes = size2.values(u3, seriesIdx, idx0, idx1);
        if (size2.unit == 2)
          barWid = sizes[0] * xDim;
        else
          barWid = valToPosX(sizes[0], scaleX, xDim, xOff) - valToPosX(0, scaleX, xDim, xOff);
        colWid = findColWidth(dataX, dataY, valToPosX, scaleX, xDim, xOff, colWid);
        let gapWid = colWid - barWid;
        fullGap = gapWid + extraGap;
      } else {
        colWid = findColWidth(dataX, dataY, valToPosX, scaleX, xDim, xOff, colWid);
        let gapWid = colWid * gapFactor;
        fullGap = gapWid + extraGap;
        barWid = colWid - fullGap;
      }
      if (fullGap < 1)
        fullGap = 0;
      if (strokeWidth >= barWid / 2)
        strokeWidth = 0;
      if (fullGap < 5)
        pxRound = retArg0;
      let insetStroke = fullGap > 0;
      let rawBarWid = colWid - fullGap - (insetStroke ? strokeWidth : 0);
      barWid = pxRound(clamp(rawBarWid, minWidth, maxWidth));
      xShift = (_align == 0 ? barWid / 2 : _align == _dirX ? 0 : barWid) - _align * _dirX * ((_align == 0 ? extraGap / 2 : 0) + (insetStroke ? strokeWidth / 2 : 0));
      const _paths = { stroke: null, fill: null, clip: null, band: null, gaps: null, flags: 0 };
      const stroke = multiPath ? null : new Path2D();
      let dataY0 = null;
      if (band != null)
        dataY0 = u3.data[band.series[1]];
      else {
        let { y0, y1 } = disp;
        if (y0 != null && y1 != null) {
          dataY = y1.values(u3, seriesIdx, idx0, idx1);
          dataY0 = y0.values(u3, seriesIdx, idx0, idx1);
        }
      }
      let radVal = valRadius * barWid;
      let radBase = baseRadius * barWid;
      for (let i3 = _dirX == 1 ? idx0 : idx1; i3 >= idx0 && i3 <= idx1; i3 += _dirX) {
        let yVal = dataY[i3];
        if (yVal == null)
          continue;
        if (dataY0 != null) {
          let yVal0 = dataY0[i3] ?? 0;
          if (yVal - yVal0 == 0)
            continue;
          fillToY = valToPosY(yVal0, scaleY, yDim, yOff);
        }
        let xVal = scaleX.distr != 2 || disp != null ? dataX[i3] : i3;
        let xPos = valToPosX(xVal, scaleX, xDim, xOff);
        let yPos = valToPosY(ifNull(yVal, fillTo), scaleY, yDim, yOff);
        let lft = pxRound(xPos - xShift);
        let btm = pxRound(max(yPos, fillToY));
        let top = pxRound(min(yPos, fillToY));
        let barHgt = btm - top;
        if (yVal != null) {
          let rv = yVal < 0 ? radBase : radVal;
          let rb = yVal < 0 ? radVal : radBase;
          if (multiPath) {
            if (strokeWidth > 0 && strokeColors[i3] != null)
              rect2(strokePaths.get(strokeColors[i3]), lft, top + floor(strokeWidth / 2), barWid, max(0, barHgt - strokeWidth), rv, rb);
            if (fillColors[i3] != null)
              rect2(fillPaths.get(fillColors[i3]), lft, top + floor(strokeWidth / 2), barWid, max(0, barHgt - strokeWidth), rv, rb);
          } else
            rect2(stroke, lft, top + floor(strokeWidth / 2), barWid, max(0, barHgt - strokeWidth), rv, rb);
          each(
            u3,
            seriesIdx,
            i3,
            lft - strokeWidth / 2,
            top,
            barWid + strokeWidth,
            barHgt
          );
        }
      }
      if (strokeWidth > 0)
        _paths.stroke = multiPath ? strokePaths : stroke;
      else if (!multiPath) {
        _paths._fill = series2.width == 0 ? series2._fill : series2._stroke ?? series2._fill;
        _paths.width = 0;
      }
      _paths.fill = multiPath ? fillPaths : stroke;
      return _paths;
    });
  };
}
function splineInterp(interp, opts) {
  const alignGaps = ifNull(opts?.alignGaps, 0);
  return (u3, seriesIdx, idx0, idx1) => {
    return orient(u3, seriesIdx, (series2, dataX, dataY, scaleX, scaleY, valToPosX, valToPosY, xOff, yOff, xDim, yDim) => {
      [idx0, idx1] = nonNullIdxs(dataY, idx0, idx1);
      let pxRound = series2.pxRound;
      let pixelForX = (val) => pxRound(valToPosX(val, scaleX, xDim, xOff));
      let pixelForY = (val) => pxRound(valToPosY(val, scaleY, yDim, yOff));
      let moveTo, bezierCurveTo, lineTo;
      if (scaleX.ori == 0) {
        moveTo = moveToH;
        lineTo = lineToH;
        bezierCurveTo = bezierCurveToH;
      } else {
        moveTo = moveToV;
        lineTo = lineToV;
        bezierCurveTo = bezierCurveToV;
      }
      const dir = scaleX.dir * (scaleX.ori == 0 ? 1 : -1);
      let firstXPos = pixelForX(dataX[dir == 1 ? idx0 : idx1]);
      let prevXPos = firstXPos;
      let xCoords = [];
      let yCoords = [];
      for (let i3 = dir == 1 ? idx0 : idx1; i3 >= idx0 && i3 <= idx1; i3 += dir) {
        let yVal = dataY[i3];
        if (yVal != null) {
          let xVal = dataX[i3];
          let xPos = pixelForX(xVal);
          xCoords.push(prevXPos = xPos);
          yCoords.push(pixelForY(dataY[i3]));
        }
      }
      const _paths = { stroke: interp(xCoords, yCoords, moveTo, lineTo, bezierCurveTo, pxRound), fill: null, clip: null, band: null, gaps: null, flags: BAND_CLIP_FILL };
      const stroke = _paths.stroke;
      let [bandFillDir, bandClipDir] = bandFillClipDirs(u3, seriesIdx);
      if (series2.fill != null || bandFillDir != 0) {
        let fill = _paths.fill = new Path2D(stroke);
        let fillTo = series2.fillTo(u3, seriesIdx, series2.min, series2.max, bandFillDir);
        let fillToY = pixelForY(fillTo);
        lineTo(fill, prevXPos, fillToY);
        lineTo(fill, firstXPos, fillToY);
      }
      if (!series2.spanGaps) {
        let gaps2 = [];
        gaps2.push(...findGaps(dataX, dataY, idx0, idx1, dir, pixelForX, alignGaps));
        _paths.gaps = gaps2 = series2.gaps(u3, seriesIdx, idx0, idx1, gaps2);
        _paths.clip = clipGaps(gaps2, scaleX.ori, xOff, yOff, xDim, yDim);
      }
      if (bandClipDir != 0) {
        _paths.band = bandClipDir == 2 ? [
          clipBandLine(u3, seriesIdx, idx0, idx1, stroke, -1),
          clipBandLine(u3, seriesIdx, idx0, idx1, stroke, 1)
        ] : clipBandLine(u3, seriesIdx, idx0, idx1, stroke, bandClipDir);
      }
      return _paths;
    });
  };
}
function monotoneCubic(opts) {
  return splineInterp(_monotoneCubic, opts);
}
function _monotoneCubic(xs, ys, moveTo, lineTo, bezierCurveTo, pxRound) {
  const n2 = xs.length;
  if (n2 < 2)
    return null;
  const path = new Path2D();
  moveTo(path, xs[0], ys[0]);
  if (n2 == 2)
    lineTo(path, xs[1], ys[1]);
  else {
    let ms = Array(n2), ds = Array(n2 - 1), dys = Array(n2 - 1), dxs = Array(n2 - 1);
    for (let i3 = 0; i3 < n2 - 1; i3++) {
      dys[i3] = ys[i3 + 1] - ys[i3];
      dxs[i3] = xs[i3 + 1] - xs[i3];
      ds[i3] = dys[i3] / dxs[i3];
    }
    ms[0] = ds[0];
    for (let i3 = 1; i3 < n2 - 1; i3++) {
      if (ds[i3] === 0 || ds[i3 - 1] === 0 || ds[i3 - 1] > 0 !== ds[i3] > 0)
        ms[i3] = 0;
      else {
        ms[i3] = 3 * (dxs[i3 - 1] + dxs[i3]) / ((2 * dxs[i3] + dxs[i3 - 1]) / ds[i3 - 1] + (dxs[i3] + 2 * dxs[i3 - 1]) / ds[i3]);
        if (!isFinite(ms[i3]))
          ms[i3] = 0;
      }
    }
    ms[n2 - 1] = ds[n2 - 2];
    for (let i3 = 0; i3 < n2 - 1; i3++) {
      bezierCurveTo(
        path,
        xs[i3] + dxs[i3] / 3,
        ys[i3] + ms[i3] * dxs[i3] / 3,
        xs[i3 + 1] - dxs[i3] / 3,
        ys[i3 + 1] - ms[i3 + 1] * dxs[i3] / 3,
        xs[i3 + 1],
        ys[i3 + 1]
      );
    }
  }
  return path;
}
var cursorPlots = /* @__PURE__ */ new Set();
function invalidateRects() {
  for (let u3 of cursorPlots)
    u3.syncRect(true);
}
if (domEnv) {
  on(resize, win, invalidateRects);
  on(scroll, win, invalidateRects, true);
  on(dppxchange, win, () => {
    uPlot.pxRatio = pxRatio;
  });
}
var linearPath = linear();
var pointsPath = points();
function setDefaults(d3, xo, yo, initY) {
  let d22 = initY ? [d3[0], d3[1]].concat(d3.slice(2)) : [d3[0]].concat(d3.slice(1));
  return d22.map((o4, i3) => setDefault(o4, i3, xo, yo));
}
function setDefaults2(d3, xyo) {
  return d3.map((o4, i3) => i3 == 0 ? {} : assign({}, xyo, o4));
}
function setDefault(o4, i3, xo, yo) {
  return assign({}, i3 == 0 ? xo : yo, o4);
}
function snapNumX(self, dataMin, dataMax) {
  return dataMin == null ? nullNullTuple : [dataMin, dataMax];
}
var snapTimeX = snapNumX;
function snapNumY(self, dataMin, dataMax) {
  return dataMin == null ? nullNullTuple : rangeNum(dataMin, dataMax, rangePad, true);
}
function snapLogY(self, dataMin, dataMax, scale) {
  return dataMin == null ? nullNullTuple : rangeLog(dataMin, dataMax, self.scales[scale].log, false);
}
var snapLogX = snapLogY;
function snapAsinhY(self, dataMin, dataMax, scale) {
  return dataMin == null ? nullNullTuple : rangeAsinh(dataMin, dataMax, self.scales[scale].log, false);
}
var snapAsinhX = snapAsinhY;
function findIncr(minVal, maxVal, incrs, dim, minSpace) {
  let intDigits = max(numIntDigits(minVal), numIntDigits(maxVal));
  let delta = maxVal - minVal;
  let incrIdx = closestIdx(minSpace / dim * delta, incrs);
  do {
    let foundIncr = incrs[incrIdx];
    let foundSpace = dim * foundIncr / delta;
    if (foundSpace >= minSpace && intDigits + (foundIncr < 5 ? fixedDec.get(foundIncr) : 0) <= 17)
      return [foundIncr, foundSpace];
  } while (++incrIdx < incrs.length);
  return [0, 0];
}
function pxRatioFont(font2) {
  let fontSize, fontSizeCss;
  font2 = font2.replace(/(\d+)px/, (m3, p1) => (fontSize = round((fontSizeCss = +p1) * pxRatio)) + "px");
  return [font2, fontSize, fontSizeCss];
}
function syncFontSize(axis) {
  if (axis.show) {
    [axis.font, axis.labelFont].forEach((f4) => {
      let size = roundDec(f4[2] * pxRatio, 1);
      f4[0] = f4[0].replace(/[0-9.]+px/, size + "px");
      f4[1] = size;
    });
  }
}
function uPlot(opts, data, then) {
  const self = {
    mode: ifNull(opts.mode, 1)
  };
  const mode = self.mode;
  function getHPos(val, scale, dim, off2) {
    let pct = scale.valToPct(val);
    return off2 + dim * (scale.dir == -1 ? 1 - pct : pct);
  }
  function getVPos(val, scale, dim, off2) {
    let pct = scale.valToPct(val);
    return off2 + dim * (scale.dir == -1 ? pct : 1 - pct);
  }
  function getPos(val, scale, dim, off2) {
    return scale.ori == 0 ? getHPos(val, scale, dim, off2) : getVPos(val, scale, dim, off2);
  }
  self.valToPosH = getHPos;
  self.valToPosV = getVPos;
  let ready = false;
  self.status = 0;
  const root = self.root = placeDiv(UPLOT);
  if (opts.id != null)
    root.id = opts.id;
  addClass(root, opts.class);
  if (opts.title) {
    let title = placeDiv(TITLE, root);
    title.textContent = opts.title;
  }
  const can = placeTag("canvas");
  const ctx = self.ctx = can.getContext("2d");
  const wrap = placeDiv(WRAP, root);
  on("click", wrap, (e3) => {
    if (e3.target === over) {
      let didDrag = mouseLeft1 != mouseLeft0 || mouseTop1 != mouseTop0;
      didDrag && drag.click(self, e3);
    }
  }, true);
  const under = self.under = placeDiv(UNDER, wrap);
  wrap.appendChild(can);
  const over = self.over = placeDiv(OVER, wrap);
  opts = copy(opts);
  const pxAlign = +ifNull(opts.pxAlign, 1);
  const pxRound = pxRoundGen(pxAlign);
  (opts.plugins || []).forEach((p3) => {
    if (p3.opts)
      opts = p3.opts(self, opts) || opts;
  });
  const ms = opts.ms || 1e-3;
  const series2 = self.series = mode == 1 ? setDefaults(opts.series || [], xSeriesOpts, ySeriesOpts, false) : setDefaults2(opts.series || [null], xySeriesOpts);
  const axes = self.axes = setDefaults(opts.axes || [], xAxisOpts, yAxisOpts, true);
  const scales = self.scales = {};
  const bands = self.bands = opts.bands || [];
  bands.forEach((b2) => {
    b2.fill = fnOrSelf(b2.fill || null);
    b2.dir = ifNull(b2.dir, -1);
  });
  const xScaleKey = mode == 2 ? series2[1].facets[0].scale : series2[0].scale;
  const drawOrderMap = {
    axes: drawAxesGrid,
    series: drawSeries
  };
  const drawOrder = (opts.drawOrder || ["axes", "series"]).map((key2) => drawOrderMap[key2]);
  function initValToPct(sc) {
    const getVal = sc.distr == 3 ? (val) => log10(val > 0 ? val : sc.clamp(self, val, sc.min, sc.max, sc.key)) : sc.distr == 4 ? (val) => asinh(val, sc.asinh) : sc.distr == 100 ? (val) => sc.fwd(val) : (val) => val;
    return (val) => {
      let _val = getVal(val);
      let { _min, _max } = sc;
      let delta = _max - _min;
      return (_val - _min) / delta;
    };
  }
  function initScale(scaleKey) {
    let sc = scales[scaleKey];
    if (sc == null) {
      let scaleOpts = (opts.scales || EMPTY_OBJ)[scaleKey] || EMPTY_OBJ;
      if (scaleOpts.from != null) {
        initScale(scaleOpts.from);
        let sc2 = assign({}, scales[scaleOpts.from], scaleOpts, { key: scaleKey });
        sc2.valToPct = initValToPct(sc2);
        scales[scaleKey] = sc2;
      } else {
        sc = scales[scaleKey] = assign({}, scaleKey == xScaleKey ? xScaleOpts : yScaleOpts, scaleOpts);
        sc.key = scaleKey;
        let isTime = sc.time;
        let rn = sc.range;
        let rangeIsArr = isArr(rn);
        if (scaleKey != xScaleKey || mode == 2 && !isTime) {
          if (rangeIsArr && (rn[0] == null || rn[1] == null)) {
            rn = {
              min: rn[0] == null ? autoRangePart : {
                mode: 1,
                hard: rn[0],
                soft: rn[0]
              },
              max: rn[1] == null ? autoRangePart : {
                mode: 1,
                hard: rn[1],
                soft: rn[1]
              }
            };
            rangeIsArr = false;
          }
          if (!rangeIsArr && isObj(rn)) {
            let cfg = rn;
            rn = (self2, dataMin, dataMax) => dataMin == null ? nullNullTuple : rangeNum(dataMin, dataMax, cfg);
          }
        }
        sc.range = fnOrSelf(rn || (isTime ? snapTimeX : scaleKey == xScaleKey ? sc.distr == 3 ? snapLogX : sc.distr == 4 ? snapAsinhX : snapNumX : sc.distr == 3 ? snapLogY : sc.distr == 4 ? snapAsinhY : snapNumY));
        sc.auto = fnOrSelf(rangeIsArr ? false : sc.auto);
        sc.clamp = fnOrSelf(sc.clamp || clampScale);
        sc._min = sc._max = null;
        sc.valToPct = initValToPct(sc);
      }
    }
  }
  initScale("x");
  initScale("y");
  if (mode == 1) {
    series2.forEach((s3) => {
      initScale(s3.scale);
    });
  }
  axes.forEach((a4) => {
    initScale(a4.scale);
  });
  for (let k2 in opts.scales)
    initScale(k2);
  const scaleX = scales[xScaleKey];
  const xScaleDistr = scaleX.distr;
  let valToPosX, valToPosY;
  if (scaleX.ori == 0) {
    addClass(root, ORI_HZ);
    valToPosX = getHPos;
    valToPosY = getVPos;
  } else {
    addClass(root, ORI_VT);
    valToPosX = getVPos;
    valToPosY = getHPos;
  }
  const pendScales = {};
  for (let k2 in scales) {
    let sc = scales[k2];
    if (sc.min != null || sc.max != null) {
      pendScales[k2] = { min: sc.min, max: sc.max };
      sc.min = sc.max = null;
    }
  }
  const _tzDate = opts.tzDate || ((ts) => new Date(round(ts / ms)));
  const _fmtDate = opts.fmtDate || fmtDate;
  const _timeAxisSplits = ms == 1 ? timeAxisSplitsMs(_tzDate) : timeAxisSplitsS(_tzDate);
  const _timeAxisVals = timeAxisVals(_tzDate, timeAxisStamps(ms == 1 ? _timeAxisStampsMs : _timeAxisStampsS, _fmtDate));
  const _timeSeriesVal = timeSeriesVal(_tzDate, timeSeriesStamp(_timeSeriesStamp, _fmtDate));
  const activeIdxs = [];
  const legend = self.legend = assign({}, legendOpts, opts.legend);
  const cursor = self.cursor = assign({}, cursorOpts, { drag: { y: mode == 2 } }, opts.cursor);
  const showLegend = legend.show;
  const showCursor = cursor.show;
  const markers = legend.markers;
  {
    legend.idxs = activeIdxs;
    markers.width = fnOrSelf(markers.width);
    markers.dash = fnOrSelf(markers.dash);
    markers.stroke = fnOrSelf(markers.stroke);
    markers.fill = fnOrSelf(markers.fill);
  }
  let legendTable;
  let legendHead;
  let legendBody;
  let legendRows = [];
  let legendCells = [];
  let legendCols;
  let multiValLegend = false;
  let NULL_LEGEND_VALUES = {};
  if (legend.live) {
    const getMultiVals = series2[1] ? series2[1].values : null;
    multiValLegend = getMultiVals != null;
    legendCols = multiValLegend ? getMultiVals(self, 1, 0) : { _: 0 };
    for (let k2 in legendCols)
      NULL_LEGEND_VALUES[k2] = LEGEND_DISP;
  }
  if (showLegend) {
    legendTable = placeTag("table", LEGEND, root);
    legendBody = placeTag("tbody", null, legendTable);
    legend.mount(self, legendTable);
    if (multiValLegend) {
      legendHead = placeTag("thead", null, legendTable, legendBody);
      let head = placeTag("tr", null, legendHead);
      placeTag("th", null, head);
      for (var key in legendCols)
        placeTag("th", LEGEND_LABEL, head).textContent = key;
    } else {
      addClass(legendTable, LEGEND_INLINE);
      legend.live && addClass(legendTable, LEGEND_LIVE);
    }
  }
  const son = { show: true };
  const soff = { show: false };
  function initLegendRow(s3, i3) {
    if (i3 == 0 && (multiValLegend || !legend.live || mode == 2))
      return nullNullTuple;
    let cells = [];
    let row = placeTag("tr", LEGEND_SERIES, legendBody, legendBody.childNodes[i3]);
    addClass(row, s3.class);
    if (!s3.show)
      addClass(row, OFF);
    let label = placeTag("th", null, row);
    if (markers.show) {
      let indic = placeDiv(LEGEND_MARKER, label);
      if (i3 > 0) {
        let width = markers.width(self, i3);
        if (width)
          indic.style.border = width + "px " + markers.dash(self, i3) + " " + markers.stroke(self, i3);
        indic.style.background = markers.fill(self, i3);
      }
    }
    let text = placeDiv(LEGEND_LABEL, label);
    if (s3.label instanceof HTMLElement)
      text.appendChild(s3.label);
    else
      text.textContent = s3.label;
    if (i3 > 0) {
      if (!markers.show)
        text.style.color = s3.width > 0 ? markers.stroke(self, i3) : markers.fill(self, i3);
      onMouse("click", label, (e3) => {
        if (cursor._lock)
          return;
        setCursorEvent(e3);
        let seriesIdx = series2.indexOf(s3);
        if ((e3.ctrlKey || e3.metaKey) != legend.isolate) {
          let isolate = series2.some((s4, i4) => i4 > 0 && i4 != seriesIdx && s4.show);
          series2.forEach((s4, i4) => {
            i4 > 0 && setSeries(i4, isolate ? i4 == seriesIdx ? son : soff : son, true, syncOpts.setSeries);
          });
        } else
          setSeries(seriesIdx, { show: !s3.show }, true, syncOpts.setSeries);
      }, false);
      if (cursorFocus) {
        onMouse(mouseenter, label, (e3) => {
          if (cursor._lock)
            return;
          setCursorEvent(e3);
          setSeries(series2.indexOf(s3), FOCUS_TRUE, true, syncOpts.setSeries);
        }, false);
      }
    }
    for (var key2 in legendCols) {
      let v3 = placeTag("td", LEGEND_VALUE, row);
      v3.textContent = "--";
      cells.push(v3);
    }
    return [row, cells];
  }
  const mouseListeners = /* @__PURE__ */ new Map();
  function onMouse(ev, targ, fn, onlyTarg = true) {
    const targListeners = mouseListeners.get(targ) || {};
    const listener = cursor.bind[ev](self, targ, fn, onlyTarg);
    if (listener) {
      on(ev, targ, targListeners[ev] = listener);
      mouseListeners.set(targ, targListeners);
    }
  }
  function offMouse(ev, targ, fn) {
    const targListeners = mouseListeners.get(targ) || {};
    for (let k2 in targListeners) {
      if (ev == null || k2 == ev) {
        off(k2, targ, targListeners[k2]);
        delete targListeners[k2];
      }
    }
    if (ev == null)
      mouseListeners.delete(targ);
  }
  let fullWidCss = 0;
  let fullHgtCss = 0;
  let plotWidCss = 0;
  let plotHgtCss = 0;
  let plotLftCss = 0;
  let plotTopCss = 0;
  let _plotLftCss = plotLftCss;
  let _plotTopCss = plotTopCss;
  let _plotWidCss = plotWidCss;
  let _plotHgtCss = plotHgtCss;
  let plotLft = 0;
  let plotTop = 0;
  let plotWid = 0;
  let plotHgt = 0;
  self.bbox = {};
  let shouldSetScales = false;
  let shouldSetSize = false;
  let shouldConvergeSize = false;
  let shouldSetCursor = false;
  let shouldSetSelect = false;
  let shouldSetLegend = false;
  function _setSize(width, height, force) {
    if (force || (width != self.width || height != self.height))
      calcSize(width, height);
    resetYSeries(false);
    shouldConvergeSize = true;
    shouldSetSize = true;
    commit();
  }
  function calcSize(width, height) {
    self.width = fullWidCss = plotWidCss = width;
    self.height = fullHgtCss = plotHgtCss = height;
    plotLftCss = plotTopCss = 0;
    calcPlotRect();
    calcAxesRects();
    let bb = self.bbox;
    plotLft = bb.left = incrRound(plotLftCss * pxRatio, 0.5);
    plotTop = bb.top = incrRound(plotTopCss * pxRatio, 0.5);
    plotWid = bb.width = incrRound(plotWidCss * pxRatio, 0.5);
    plotHgt = bb.height = incrRound(plotHgtCss * pxRatio, 0.5);
  }
  const CYCLE_LIMIT = 3;
  function convergeSize() {
    let converged = false;
    let cycleNum = 0;
    while (!converged) {
      cycleNum++;
      let axesConverged = axesCalc(cycleNum);
      let paddingConverged = paddingCalc(cycleNum);
      converged = cycleNum == CYCLE_LIMIT || axesConverged && paddingConverged;
      if (!converged) {
        calcSize(self.width, self.height);
        shouldSetSize = true;
      }
    }
  }
  function setSize({ width, height }) {
    _setSize(width, height);
  }
  self.setSize = setSize;
  function calcPlotRect() {
    let hasTopAxis = false;
    let hasBtmAxis = false;
    let hasRgtAxis = false;
    let hasLftAxis = false;
    axes.forEach((axis, i3) => {
      if (axis.show && axis._show) {
        let { side, _size } = axis;
        let isVt = side % 2;
        let labelSize = axis.label != null ? axis.labelSize : 0;
        let fullSize = _size + labelSize;
        if (fullSize > 0) {
          if (isVt) {
            plotWidCss -= fullSize;
            if (side == 3) {
              plotLftCss += fullSize;
              hasLftAxis = true;
            } else
              hasRgtAxis = true;
          } else {
            plotHgtCss -= fullSize;
            if (side == 0) {
              plotTopCss += fullSize;
              hasTopAxis = true;
            } else
              hasBtmAxis = true;
          }
        }
      }
    });
    sidesWithAxes[0] = hasTopAxis;
    sidesWithAxes[1] = hasRgtAxis;
    sidesWithAxes[2] = hasBtmAxis;
    sidesWithAxes[3] = hasLftAxis;
    plotWidCss -= _padding[1] + _padding[3];
    plotLftCss += _padding[3];
    plotHgtCss -= _padding[2] + _padding[0];
    plotTopCss += _padding[0];
  }
  function calcAxesRects() {
    let off1 = plotLftCss + plotWidCss;
    let off2 = plotTopCss + plotHgtCss;
    let off3 = plotLftCss;
    let off0 = plotTopCss;
    function incrOffset(side, size) {
      switch (side) {
        case 1:
          off1 += size;
          return off1 - size;
        case 2:
          off2 += size;
          return off2 - size;
        case 3:
          off3 -= size;
          return off3 + size;
        case 0:
          off0 -= size;
          return off0 + size;
      }
    }
    axes.forEach((axis, i3) => {
      if (axis.show && axis._show) {
        let side = axis.side;
        axis._pos = incrOffset(side, axis._size);
        if (axis.label != null)
          axis._lpos = incrOffset(side, axis.labelSize);
      }
    });
  }
  if (cursor.dataIdx == null) {
    let hov = cursor.hover;
    let skip2 = hov.skip = new Set(hov.skip ?? []);
    skip2.add(void 0);
    let prox = hov.prox = fnOrSelf(hov.prox);
    let bias = hov.bias ??= 0;
    cursor.dataIdx = (self2, seriesIdx, cursorIdx, valAtPosX) => {
      if (seriesIdx == 0)
        return cursorIdx;
      let idx2 = cursorIdx;
      let _prox = prox(self2, seriesIdx, cursorIdx, valAtPosX) ?? inf;
      let withProx = _prox >= 0 && _prox < inf;
      let xDim = scaleX.ori == 0 ? plotWidCss : plotHgtCss;
      let cursorLft = cursor.left;
      let xValues = data[0];
      let yValues = data[seriesIdx];
      if (skip2.has(yValues[cursorIdx])) {
        idx2 = null;
        let nonNullLft = null, nonNullRgt = null, j2;
        if (bias == 0 || bias == -1) {
          j2 = cursorIdx;
          while (nonNullLft == null && j2-- > 0) {
            if (!skip2.has(yValues[j2]))
              nonNullLft = j2;
          }
        }
        if (bias == 0 || bias == 1) {
          j2 = cursorIdx;
          while (nonNullRgt == null && j2++ < yValues.length) {
            if (!skip2.has(yValues[j2]))
              nonNullRgt = j2;
          }
        }
        if (nonNullLft != null || nonNullRgt != null) {
          if (withProx) {
            let lftPos = nonNullLft == null ? -Infinity : valToPosX(xValues[nonNullLft], scaleX, xDim, 0);
            let rgtPos = nonNullRgt == null ? Infinity : valToPosX(xValues[nonNullRgt], scaleX, xDim, 0);
            let lftDelta = cursorLft - lftPos;
            let rgtDelta = rgtPos - cursorLft;
            if (lftDelta <= rgtDelta) {
              if (lftDelta <= _prox)
                idx2 = nonNullLft;
            } else {
              if (rgtDelta <= _prox)
                idx2 = nonNullRgt;
            }
          } else {
            idx2 = nonNullRgt == null ? nonNullLft : nonNullLft == null ? nonNullRgt : cursorIdx - nonNullLft <= nonNullRgt - cursorIdx ? nonNullLft : nonNullRgt;
          }
        }
      } else if (withProx) {
        let dist = abs(cursorLft - valToPosX(xValues[cursorIdx], scaleX, xDim, 0));
        if (dist > _prox)
          idx2 = null;
      }
      return idx2;
    };
  }
  const setCursorEvent = (e3) => {
    cursor.event = e3;
  };
  cursor.idxs = activeIdxs;
  cursor._lock = false;
  let points2 = cursor.points;
  points2.show = fnOrSelf(points2.show);
  points2.size = fnOrSelf(points2.size);
  points2.stroke = fnOrSelf(points2.stroke);
  points2.width = fnOrSelf(points2.width);
  points2.fill = fnOrSelf(points2.fill);
  const focus = self.focus = assign({}, opts.focus || { alpha: 0.3 }, cursor.focus);
  const cursorFocus = focus.prox >= 0;
  const cursorOnePt = cursorFocus && points2.one;
  let cursorPts = [];
  let cursorPtsLft = [];
  let cursorPtsTop = [];
  function initCursorPt(s3, si) {
    let pt = points2.show(self, si);
    if (pt instanceof HTMLElement) {
      addClass(pt, CURSOR_PT);
      addClass(pt, s3.class);
      elTrans(pt, -10, -10, plotWidCss, plotHgtCss);
      over.insertBefore(pt, cursorPts[si]);
      return pt;
    }
  }
  function initSeries(s3, i3) {
    if (mode == 1 || i3 > 0) {
      let isTime = mode == 1 && scales[s3.scale].time;
      let sv = s3.value;
      s3.value = isTime ? isStr(sv) ? timeSeriesVal(_tzDate, timeSeriesStamp(sv, _fmtDate)) : sv || _timeSeriesVal : sv || numSeriesVal;
      s3.label = s3.label || (isTime ? timeSeriesLabel : numSeriesLabel);
    }
    if (cursorOnePt || i3 > 0) {
      s3.width = s3.width == null ? 1 : s3.width;
      s3.paths = s3.paths || linearPath || retNull;
      s3.fillTo = fnOrSelf(s3.fillTo || seriesFillTo);
      s3.pxAlign = +ifNull(s3.pxAlign, pxAlign);
      s3.pxRound = pxRoundGen(s3.pxAlign);
      s3.stroke = fnOrSelf(s3.stroke || null);
      s3.fill = fnOrSelf(s3.fill || null);
      s3._stroke = s3._fill = s3._paths = s3._focus = null;
      let _ptDia = ptDia(max(1, s3.width), 1);
      let points3 = s3.points = assign({}, {
        size: _ptDia,
        width: max(1, _ptDia * 0.2),
        stroke: s3.stroke,
        space: _ptDia * 2,
        paths: pointsPath,
        _stroke: null,
        _fill: null
      }, s3.points);
      points3.show = fnOrSelf(points3.show);
      points3.filter = fnOrSelf(points3.filter);
      points3.fill = fnOrSelf(points3.fill);
      points3.stroke = fnOrSelf(points3.stroke);
      points3.paths = fnOrSelf(points3.paths);
      points3.pxAlign = s3.pxAlign;
    }
    if (showLegend) {
      let rowCells = initLegendRow(s3, i3);
      legendRows.splice(i3, 0, rowCells[0]);
      legendCells.splice(i3, 0, rowCells[1]);
      legend.values.push(null);
    }
    if (showCursor) {
      activeIdxs.splice(i3, 0, null);
      let pt = null;
      if (cursorOnePt) {
        if (i3 == 0)
          pt = initCursorPt(s3, i3);
      } else if (i3 > 0)
        pt = initCursorPt(s3, i3);
      cursorPts.splice(i3, 0, pt);
      cursorPtsLft.splice(i3, 0, 0);
      cursorPtsTop.splice(i3, 0, 0);
    }
    fire("addSeries", i3);
  }
  function addSeries(opts2, si) {
    si = si == null ? series2.length : si;
    opts2 = mode == 1 ? setDefault(opts2, si, xSeriesOpts, ySeriesOpts) : setDefault(opts2, si, {}, xySeriesOpts);
    series2.splice(si, 0, opts2);
    initSeries(series2[si], si);
  }
  self.addSeries = addSeries;
  function delSeries(i3) {
    series2.splice(i3, 1);
    if (showLegend) {
      legend.values.splice(i3, 1);
      legendCells.splice(i3, 1);
      let tr = legendRows.splice(i3, 1)[0];
      offMouse(null, tr.firstChild);
      tr.remove();
    }
    if (showCursor) {
      activeIdxs.splice(i3, 1);
      cursorPts.splice(i3, 1)[0].remove();
      cursorPtsLft.splice(i3, 1);
      cursorPtsTop.splice(i3, 1);
    }
    fire("delSeries", i3);
  }
  self.delSeries = delSeries;
  const sidesWithAxes = [false, false, false, false];
  function initAxis(axis, i3) {
    axis._show = axis.show;
    if (axis.show) {
      let isVt = axis.side % 2;
      let sc = scales[axis.scale];
      if (sc == null) {
        axis.scale = isVt ? series2[1].scale : xScaleKey;
        sc = scales[axis.scale];
      }
      let isTime = sc.time;
      axis.size = fnOrSelf(axis.size);
      axis.space = fnOrSelf(axis.space);
      axis.rotate = fnOrSelf(axis.rotate);
      if (isArr(axis.incrs)) {
        axis.incrs.forEach((incr) => {
          !fixedDec.has(incr) && fixedDec.set(incr, guessDec(incr));
        });
      }
      axis.incrs = fnOrSelf(axis.incrs || (sc.distr == 2 ? wholeIncrs : isTime ? ms == 1 ? timeIncrsMs : timeIncrsS : numIncrs));
      axis.splits = fnOrSelf(axis.splits || (isTime && sc.distr == 1 ? _timeAxisSplits : sc.distr == 3 ? logAxisSplits : sc.distr == 4 ? asinhAxisSplits : numAxisSplits));
      axis.stroke = fnOrSelf(axis.stroke);
      axis.grid.stroke = fnOrSelf(axis.grid.stroke);
      axis.ticks.stroke = fnOrSelf(axis.ticks.stroke);
      axis.border.stroke = fnOrSelf(axis.border.stroke);
      let av = axis.values;
      axis.values = // static array of tick values
      isArr(av) && !isArr(av[0]) ? fnOrSelf(av) : (
        // temporal
        isTime ? (
          // config array of fmtDate string tpls
          isArr(av) ? timeAxisVals(_tzDate, timeAxisStamps(av, _fmtDate)) : (
            // fmtDate string tpl
            isStr(av) ? timeAxisVal(_tzDate, av) : av || _timeAxisVals
          )
        ) : av || numAxisVals
      );
      axis.filter = fnOrSelf(axis.filter || (sc.distr >= 3 && sc.log == 10 ? log10AxisValsFilt : sc.distr == 3 && sc.log == 2 ? log2AxisValsFilt : retArg1));
      axis.font = pxRatioFont(axis.font);
      axis.labelFont = pxRatioFont(axis.labelFont);
      axis._size = axis.size(self, null, i3, 0);
      axis._space = axis._rotate = axis._incrs = axis._found = // foundIncrSpace
      axis._splits = axis._values = null;
      if (axis._size > 0) {
        sidesWithAxes[i3] = true;
        axis._el = placeDiv(AXIS, wrap);
      }
    }
  }
  function autoPadSide(self2, side, sidesWithAxes2, cycleNum) {
    let [hasTopAxis, hasRgtAxis, hasBtmAxis, hasLftAxis] = sidesWithAxes2;
    let ori = side % 2;
    let size = 0;
    if (ori == 0 && (hasLftAxis || hasRgtAxis))
      size = side == 0 && !hasTopAxis || side == 2 && !hasBtmAxis ? round(xAxisOpts.size / 3) : 0;
    if (ori == 1 && (hasTopAxis || hasBtmAxis))
      size = side == 1 && !hasRgtAxis || side == 3 && !hasLftAxis ? round(yAxisOpts.size / 2) : 0;
    return size;
  }
  const padding = self.padding = (opts.padding || [autoPadSide, autoPadSide, autoPadSide, autoPadSide]).map((p3) => fnOrSelf(ifNull(p3, autoPadSide)));
  const _padding = self._padding = padding.map((p3, i3) => p3(self, i3, sidesWithAxes, 0));
  let dataLen;
  let i0 = null;
  let i1 = null;
  const idxs = mode == 1 ? series2[0].idxs : null;
  let data0 = null;
  let viaAutoScaleX = false;
  function setData(_data, _resetScales) {
    data = _data == null ? [] : _data;
    self.data = self._data = data;
    if (mode == 2) {
      dataLen = 0;
      for (let i3 = 1; i3 < series2.length; i3++)
        dataLen += data[i3][0].length;
    } else {
      if (data.length == 0)
        self.data = self._data = data = [[]];
      data0 = data[0];
      dataLen = data0.length;
      let scaleData = data;
      if (xScaleDistr == 2) {
        scaleData = data.slice();
        let _data0 = scaleData[0] = Array(dataLen);
        for (let i3 = 0; i3 < dataLen; i3++)
          _data0[i3] = i3;
      }
      self._data = data = scaleData;
    }
    resetYSeries(true);
    fire("setData");
    if (xScaleDistr == 2) {
      shouldConvergeSize = true;
    }
    if (_resetScales !== false) {
      let xsc = scaleX;
      if (xsc.auto(self, viaAutoScaleX))
        autoScaleX();
      else
        _setScale(xScaleKey, xsc.min, xsc.max);
      shouldSetCursor = shouldSetCursor || cursor.left >= 0;
      shouldSetLegend = true;
      commit();
    }
  }
  self.setData = setData;
  function autoScaleX() {
    viaAutoScaleX = true;
    let _min, _max;
    if (mode == 1) {
      if (dataLen > 0) {
        i0 = idxs[0] = 0;
        i1 = idxs[1] = dataLen - 1;
        _min = data[0][i0];
        _max = data[0][i1];
        if (xScaleDistr == 2) {
          _min = i0;
          _max = i1;
        } else if (_min == _max) {
          if (xScaleDistr == 3)
            [_min, _max] = rangeLog(_min, _min, scaleX.log, false);
          else if (xScaleDistr == 4)
            [_min, _max] = rangeAsinh(_min, _min, scaleX.log, false);
          else if (scaleX.time)
            _max = _min + round(86400 / ms);
          else
            [_min, _max] = rangeNum(_min, _max, rangePad, true);
        }
      } else {
        i0 = idxs[0] = _min = null;
        i1 = idxs[1] = _max = null;
      }
    }
    _setScale(xScaleKey, _min, _max);
  }
  let ctxStroke, ctxFill, ctxWidth, ctxDash, ctxJoin, ctxCap, ctxFont, ctxAlign, ctxBaseline;
  let ctxAlpha;
  function setCtxStyle(stroke, width, dash, cap, fill, join2) {
    stroke ??= transparent;
    dash ??= EMPTY_ARR;
    cap ??= "butt";
    fill ??= transparent;
    join2 ??= "round";
    if (stroke != ctxStroke)
      ctx.strokeStyle = ctxStroke = stroke;
    if (fill != ctxFill)
      ctx.fillStyle = ctxFill = fill;
    if (width != ctxWidth)
      ctx.lineWidth = ctxWidth = width;
    if (join2 != ctxJoin)
      ctx.lineJoin = ctxJoin = join2;
    if (cap != ctxCap)
      ctx.lineCap = ctxCap = cap;
    if (dash != ctxDash)
      ctx.setLineDash(ctxDash = dash);
  }
  function setFontStyle(font2, fill, align, baseline) {
    if (fill != ctxFill)
      ctx.fillStyle = ctxFill = fill;
    if (font2 != ctxFont)
      ctx.font = ctxFont = font2;
    if (align != ctxAlign)
      ctx.textAlign = ctxAlign = align;
    if (baseline != ctxBaseline)
      ctx.textBaseline = ctxBaseline = baseline;
  }
  function accScale(wsc, psc, facet2, data2, sorted2 = 0) {
    if (data2.length > 0 && wsc.auto(self, viaAutoScaleX) && (psc == null || psc.min == null)) {
      let _i0 = ifNull(i0, 0);
      let _i1 = ifNull(i1, data2.length - 1);
      let minMax = facet2.min == null ? getMinMax(data2, _i0, _i1, sorted2, wsc.distr == 3) : [facet2.min, facet2.max];
      wsc.min = min(wsc.min, facet2.min = minMax[0]);
      wsc.max = max(wsc.max, facet2.max = minMax[1]);
    }
  }
  const AUTOSCALE = { min: null, max: null };
  function setScales() {
    for (let k2 in scales) {
      let sc = scales[k2];
      if (pendScales[k2] == null && // scales that have never been set (on init)
      (sc.min == null || // or auto scales when the x scale was explicitly set
      pendScales[xScaleKey] != null && sc.auto(self, viaAutoScaleX))) {
        pendScales[k2] = AUTOSCALE;
      }
    }
    for (let k2 in scales) {
      let sc = scales[k2];
      if (pendScales[k2] == null && sc.from != null && pendScales[sc.from] != null)
        pendScales[k2] = AUTOSCALE;
    }
    if (pendScales[xScaleKey] != null)
      resetYSeries(true);
    let wipScales = {};
    for (let k2 in pendScales) {
      let psc = pendScales[k2];
      if (psc != null) {
        let wsc = wipScales[k2] = copy(scales[k2], fastIsObj);
        if (psc.min != null)
          assign(wsc, psc);
        else if (k2 != xScaleKey || mode == 2) {
          if (dataLen == 0 && wsc.from == null) {
            let minMax = wsc.range(self, null, null, k2);
            wsc.min = minMax[0];
            wsc.max = minMax[1];
          } else {
            wsc.min = inf;
            wsc.max = -inf;
          }
        }
      }
    }
    if (dataLen > 0) {
      series2.forEach((s3, i3) => {
        if (mode == 1) {
          let k2 = s3.scale;
          let psc = pendScales[k2];
          if (psc == null)
            return;
          let wsc = wipScales[k2];
          if (i3 == 0) {
            let minMax = wsc.range(self, wsc.min, wsc.max, k2);
            wsc.min = minMax[0];
            wsc.max = minMax[1];
            i0 = closestIdx(wsc.min, data[0]);
            i1 = closestIdx(wsc.max, data[0]);
            if (i1 - i0 > 1) {
              if (data[0][i0] < wsc.min)
                i0++;
              if (data[0][i1] > wsc.max)
                i1--;
            }
            s3.min = data0[i0];
            s3.max = data0[i1];
          } else if (s3.show && s3.auto)
            accScale(wsc, psc, s3, data[i3], s3.sorted);
          s3.idxs[0] = i0;
          s3.idxs[1] = i1;
        } else {
          if (i3 > 0) {
            if (s3.show && s3.auto) {
              let [xFacet, yFacet] = s3.facets;
              let xScaleKey2 = xFacet.scale;
              let yScaleKey = yFacet.scale;
              let [xData, yData] = data[i3];
              let wscx = wipScales[xScaleKey2];
              let wscy = wipScales[yScaleKey];
              wscx != null && accScale(wscx, pendScales[xScaleKey2], xFacet, xData, xFacet.sorted);
              wscy != null && accScale(wscy, pendScales[yScaleKey], yFacet, yData, yFacet.sorted);
              s3.min = yFacet.min;
              s3.max = yFacet.max;
            }
          }
        }
      });
      for (let k2 in wipScales) {
        let wsc = wipScales[k2];
        let psc = pendScales[k2];
        if (wsc.from == null && (psc == null || psc.min == null)) {
          let minMax = wsc.range(
            self,
            wsc.min == inf ? null : wsc.min,
            wsc.max == -inf ? null : wsc.max,
            k2
          );
          wsc.min = minMax[0];
          wsc.max = minMax[1];
        }
      }
    }
    for (let k2 in wipScales) {
      let wsc = wipScales[k2];
      if (wsc.from != null) {
        let base = wipScales[wsc.from];
        if (base.min == null)
          wsc.min = wsc.max = null;
        else {
          let minMax = wsc.range(self, base.min, base.max, k2);
          wsc.min = minMax[0];
          wsc.max = minMax[1];
        }
      }
    }
    let changed = {};
    let anyChanged = false;
    for (let k2 in wipScales) {
      let wsc = wipScales[k2];
      let sc = scales[k2];
      if (sc.min != wsc.min || sc.max != wsc.max) {
        sc.min = wsc.min;
        sc.max = wsc.max;
        let distr = sc.distr;
        sc._min = distr == 3 ? log10(sc.min) : distr == 4 ? asinh(sc.min, sc.asinh) : distr == 100 ? sc.fwd(sc.min) : sc.min;
        sc._max = distr == 3 ? log10(sc.max) : distr == 4 ? asinh(sc.max, sc.asinh) : distr == 100 ? sc.fwd(sc.max) : sc.max;
        changed[k2] = anyChanged = true;
      }
    }
    if (anyChanged) {
      series2.forEach((s3, i3) => {
        if (mode == 2) {
          if (i3 > 0 && changed.y)
            s3._paths = null;
        } else {
          if (changed[s3.scale])
            s3._paths = null;
        }
      });
      for (let k2 in changed) {
        shouldConvergeSize = true;
        fire("setScale", k2);
      }
      if (showCursor && cursor.left >= 0)
        shouldSetCursor = shouldSetLegend = true;
    }
    for (let k2 in pendScales)
      pendScales[k2] = null;
  }
  function getOuterIdxs(ydata) {
    let _i0 = clamp(i0 - 1, 0, dataLen - 1);
    let _i1 = clamp(i1 + 1, 0, dataLen - 1);
    while (ydata[_i0] == null && _i0 > 0)
      _i0--;
    while (ydata[_i1] == null && _i1 < dataLen - 1)
      _i1++;
    return [_i0, _i1];
  }
  function drawSeries() {
    if (dataLen > 0) {
      let shouldAlpha = series2.some((s3) => s3._focus) && ctxAlpha != focus.alpha;
      if (shouldAlpha)
        ctx.globalAlpha = ctxAlpha = focus.alpha;
      series2.forEach((s3, i3) => {
        if (i3 > 0 && s3.show) {
          cacheStrokeFill(i3, false);
          cacheStrokeFill(i3, true);
          if (s3._paths == null) {
            let _ctxAlpha = ctxAlpha;
            if (ctxAlpha != s3.alpha)
              ctx.globalAlpha = ctxAlpha = s3.alpha;
            let _idxs = mode == 2 ? [0, data[i3][0].length - 1] : getOuterIdxs(data[i3]);
            s3._paths = s3.paths(self, i3, _idxs[0], _idxs[1]);
            if (ctxAlpha != _ctxAlpha)
              ctx.globalAlpha = ctxAlpha = _ctxAlpha;
          }
        }
      });
      series2.forEach((s3, i3) => {
        if (i3 > 0 && s3.show) {
          let _ctxAlpha = ctxAlpha;
          if (ctxAlpha != s3.alpha)
            ctx.globalAlpha = ctxAlpha = s3.alpha;
          s3._paths != null && drawPath(i3, false);
          {
            let _gaps = s3._paths != null ? s3._paths.gaps : null;
            let show2 = s3.points.show(self, i3, i0, i1, _gaps);
            let idxs2 = s3.points.filter(self, i3, show2, _gaps);
            if (show2 || idxs2) {
              s3.points._paths = s3.points.paths(self, i3, i0, i1, idxs2);
              drawPath(i3, true);
            }
          }
          if (ctxAlpha != _ctxAlpha)
            ctx.globalAlpha = ctxAlpha = _ctxAlpha;
          fire("drawSeries", i3);
        }
      });
      if (shouldAlpha)
        ctx.globalAlpha = ctxAlpha = 1;
    }
  }
  function cacheStrokeFill(si, _points) {
    let s3 = _points ? series2[si].points : series2[si];
    s3._stroke = s3.stroke(self, si);
    s3._fill = s3.fill(self, si);
  }
  function drawPath(si, _points) {
    let s3 = _points ? series2[si].points : series2[si];
    let {
      stroke,
      fill,
      clip: gapsClip,
      flags,
      _stroke: strokeStyle = s3._stroke,
      _fill: fillStyle = s3._fill,
      _width: width = s3.width
    } = s3._paths;
    width = roundDec(width * pxRatio, 3);
    let boundsClip = null;
    let offset = width % 2 / 2;
    if (_points && fillStyle == null)
      fillStyle = width > 0 ? "#fff" : strokeStyle;
    let _pxAlign = s3.pxAlign == 1 && offset > 0;
    _pxAlign && ctx.translate(offset, offset);
    if (!_points) {
      let lft = plotLft - width / 2, top = plotTop - width / 2, wid = plotWid + width, hgt = plotHgt + width;
      boundsClip = new Path2D();
      boundsClip.rect(lft, top, wid, hgt);
    }
    if (_points)
      strokeFill(strokeStyle, width, s3.dash, s3.cap, fillStyle, stroke, fill, flags, gapsClip);
    else
      fillStroke(si, strokeStyle, width, s3.dash, s3.cap, fillStyle, stroke, fill, flags, boundsClip, gapsClip);
    _pxAlign && ctx.translate(-offset, -offset);
  }
  function fillStroke(si, strokeStyle, lineWidth, lineDash, lineCap, fillStyle, strokePath, fillPath, flags, boundsClip, gapsClip) {
    let didStrokeFill = false;
    flags != 0 && bands.forEach((b2, bi) => {
      if (b2.series[0] == si) {
        let lowerEdge = series2[b2.series[1]];
        let lowerData = data[b2.series[1]];
        let bandClip = (lowerEdge._paths || EMPTY_OBJ).band;
        if (isArr(bandClip))
          bandClip = b2.dir == 1 ? bandClip[0] : bandClip[1];
        let gapsClip2;
        let _fillStyle = null;
        if (lowerEdge.show && bandClip && hasData(lowerData, i0, i1)) {
          _fillStyle = b2.fill(self, bi) || fillStyle;
          gapsClip2 = lowerEdge._paths.clip;
        } else
          bandClip = null;
        strokeFill(strokeStyle, lineWidth, lineDash, lineCap, _fillStyle, strokePath, fillPath, flags, boundsClip, gapsClip, gapsClip2, bandClip);
        didStrokeFill = true;
      }
    });
    if (!didStrokeFill)
      strokeFill(strokeStyle, lineWidth, lineDash, lineCap, fillStyle, strokePath, fillPath, flags, boundsClip, gapsClip);
  }
  const CLIP_FILL_STROKE = BAND_CLIP_FILL | BAND_CLIP_STROKE;
  function strokeFill(strokeStyle, lineWidth, lineDash, lineCap, fillStyle, strokePath, fillPath, flags, boundsClip, gapsClip, gapsClip2, bandClip) {
    setCtxStyle(strokeStyle, lineWidth, lineDash, lineCap, fillStyle);
    if (boundsClip || gapsClip || bandClip) {
      ctx.save();
      boundsClip && ctx.clip(boundsClip);
      gapsClip && ctx.clip(gapsClip);
    }
    if (bandClip) {
      if ((flags & CLIP_FILL_STROKE) == CLIP_FILL_STROKE) {
        ctx.clip(bandClip);
        gapsClip2 && ctx.clip(gapsClip2);
        doFill(fillStyle, fillPath);
        doStroke(strokeStyle, strokePath, lineWidth);
      } else if (flags & BAND_CLIP_STROKE) {
        doFill(fillStyle, fillPath);
        ctx.clip(bandClip);
        doStroke(strokeStyle, strokePath, lineWidth);
      } else if (flags & BAND_CLIP_FILL) {
        ctx.save();
        ctx.clip(bandClip);
        gapsClip2 && ctx.clip(gapsClip2);
        doFill(fillStyle, fillPath);
        ctx.restore();
        doStroke(strokeStyle, strokePath, lineWidth);
      }
    } else {
      doFill(fillStyle, fillPath);
      doStroke(strokeStyle, strokePath, lineWidth);
    }
    if (boundsClip || gapsClip || bandClip)
      ctx.restore();
  }
  function doStroke(strokeStyle, strokePath, lineWidth) {
    if (lineWidth > 0) {
      if (strokePath instanceof Map) {
        strokePath.forEach((strokePath2, strokeStyle2) => {
          ctx.strokeStyle = ctxStroke = strokeStyle2;
          ctx.stroke(strokePath2);
        });
      } else
        strokePath != null && strokeStyle && ctx.stroke(strokePath);
    }
  }
  function doFill(fillStyle, fillPath) {
    if (fillPath instanceof Map) {
      fillPath.forEach((fillPath2, fillStyle2) => {
        ctx.fillStyle = ctxFill = fillStyle2;
        ctx.fill(fillPath2);
      });
    } else
      fillPath != null && fillStyle && ctx.fill(fillPath);
  }
  function getIncrSpace(axisIdx, min2, max2, fullDim) {
    let axis = axes[axisIdx];
    let incrSpace;
    if (fullDim <= 0)
      incrSpace = [0, 0];
    else {
      let minSpace = axis._space = axis.space(self, axisIdx, min2, max2, fullDim);
      let incrs = axis._incrs = axis.incrs(self, axisIdx, min2, max2, fullDim, minSpace);
      incrSpace = findIncr(min2, max2, incrs, fullDim, minSpace);
    }
    return axis._found = incrSpace;
  }
  function drawOrthoLines(offs, filts, ori, side, pos0, len, width, stroke, dash, cap) {
    let offset = width % 2 / 2;
    pxAlign == 1 && ctx.translate(offset, offset);
    setCtxStyle(stroke, width, dash, cap, stroke);
    ctx.beginPath();
    let x0, y0, x1, y1, pos1 = pos0 + (side == 0 || side == 3 ? -len : len);
    if (ori == 0) {
      y0 = pos0;
      y1 = pos1;
    } else {
      x0 = pos0;
      x1 = pos1;
    }
    for (let i3 = 0; i3 < offs.length; i3++) {
      if (filts[i3] != null) {
        if (ori == 0)
          x0 = x1 = offs[i3];
        else
          y0 = y1 = offs[i3];
        ctx.moveTo(x0, y0);
        ctx.lineTo(x1, y1);
      }
    }
    ctx.stroke();
    pxAlign == 1 && ctx.translate(-offset, -offset);
  }
  function axesCalc(cycleNum) {
    let converged = true;
    axes.forEach((axis, i3) => {
      if (!axis.show)
        return;
      let scale = scales[axis.scale];
      if (scale.min == null) {
        if (axis._show) {
          converged = false;
          axis._show = false;
          resetYSeries(false);
        }
        return;
      } else {
        if (!axis._show) {
          converged = false;
          axis._show = true;
          resetYSeries(false);
        }
      }
      let side = axis.side;
      let ori = side % 2;
      let { min: min2, max: max2 } = scale;
      let [_incr, _space] = getIncrSpace(i3, min2, max2, ori == 0 ? plotWidCss : plotHgtCss);
      if (_space == 0)
        return;
      let forceMin = scale.distr == 2;
      let _splits = axis._splits = axis.splits(self, i3, min2, max2, _incr, _space, forceMin);
      let splits = scale.distr == 2 ? _splits.map((i4) => data0[i4]) : _splits;
      let incr = scale.distr == 2 ? data0[_splits[1]] - data0[_splits[0]] : _incr;
      let values2 = axis._values = axis.values(self, axis.filter(self, splits, i3, _space, incr), i3, _space, incr);
      axis._rotate = side == 2 ? axis.rotate(self, values2, i3, _space) : 0;
      let oldSize = axis._size;
      axis._size = ceil(axis.size(self, values2, i3, cycleNum));
      if (oldSize != null && axis._size != oldSize)
        converged = false;
    });
    return converged;
  }
  function paddingCalc(cycleNum) {
    let converged = true;
    padding.forEach((p3, i3) => {
      let _p = p3(self, i3, sidesWithAxes, cycleNum);
      if (_p != _padding[i3])
        converged = false;
      _padding[i3] = _p;
    });
    return converged;
  }
  function drawAxesGrid() {
    for (let i3 = 0; i3 < axes.length; i3++) {
      let axis = axes[i3];
      if (!axis.show || !axis._show)
        continue;
      let side = axis.side;
      let ori = side % 2;
      let x2, y3;
      let fillStyle = axis.stroke(self, i3);
      let shiftDir = side == 0 || side == 3 ? -1 : 1;
      let [_incr, _space] = axis._found;
      if (axis.label != null) {
        let shiftAmt2 = axis.labelGap * shiftDir;
        let baseLpos = round((axis._lpos + shiftAmt2) * pxRatio);
        setFontStyle(axis.labelFont[0], fillStyle, "center", side == 2 ? TOP : BOTTOM);
        ctx.save();
        if (ori == 1) {
          x2 = y3 = 0;
          ctx.translate(
            baseLpos,
            round(plotTop + plotHgt / 2)
          );
          ctx.rotate((side == 3 ? -PI : PI) / 2);
        } else {
          x2 = round(plotLft + plotWid / 2);
          y3 = baseLpos;
        }
        let _label = isFn(axis.label) ? axis.label(self, i3, _incr, _space) : axis.label;
        ctx.fillText(_label, x2, y3);
        ctx.restore();
      }
      if (_space == 0)
        continue;
      let scale = scales[axis.scale];
      let plotDim = ori == 0 ? plotWid : plotHgt;
      let plotOff = ori == 0 ? plotLft : plotTop;
      let _splits = axis._splits;
      let splits = scale.distr == 2 ? _splits.map((i4) => data0[i4]) : _splits;
      let incr = scale.distr == 2 ? data0[_splits[1]] - data0[_splits[0]] : _incr;
      let ticks2 = axis.ticks;
      let border2 = axis.border;
      let _tickSize = ticks2.show ? ticks2.size : 0;
      let tickSize = round(_tickSize * pxRatio);
      let axisGap = round((axis.alignTo == 2 ? axis._size - _tickSize - axis.gap : axis.gap) * pxRatio);
      let angle = axis._rotate * -PI / 180;
      let basePos = pxRound(axis._pos * pxRatio);
      let shiftAmt = (tickSize + axisGap) * shiftDir;
      let finalPos = basePos + shiftAmt;
      y3 = ori == 0 ? finalPos : 0;
      x2 = ori == 1 ? finalPos : 0;
      let font2 = axis.font[0];
      let textAlign = axis.align == 1 ? LEFT : axis.align == 2 ? RIGHT : angle > 0 ? LEFT : angle < 0 ? RIGHT : ori == 0 ? "center" : side == 3 ? RIGHT : LEFT;
      let textBaseline = angle || ori == 1 ? "middle" : side == 2 ? TOP : BOTTOM;
      setFontStyle(font2, fillStyle, textAlign, textBaseline);
      let lineHeight = axis.font[1] * axis.lineGap;
      let canOffs = _splits.map((val) => pxRound(getPos(val, scale, plotDim, plotOff)));
      let _values = axis._values;
      for (let i4 = 0; i4 < _values.length; i4++) {
        let val = _values[i4];
        if (val != null) {
          if (ori == 0)
            x2 = canOffs[i4];
          else
            y3 = canOffs[i4];
          val = "" + val;
          let _parts = val.indexOf("\n") == -1 ? [val] : val.split(/\n/gm);
          for (let j2 = 0; j2 < _parts.length; j2++) {
            let text = _parts[j2];
            if (angle) {
              ctx.save();
              ctx.translate(x2, y3 + j2 * lineHeight);
              ctx.rotate(angle);
              ctx.fillText(text, 0, 0);
              ctx.restore();
            } else
              ctx.fillText(text, x2, y3 + j2 * lineHeight);
          }
        }
      }
      if (ticks2.show) {
        drawOrthoLines(
          canOffs,
          ticks2.filter(self, splits, i3, _space, incr),
          ori,
          side,
          basePos,
          tickSize,
          roundDec(ticks2.width * pxRatio, 3),
          ticks2.stroke(self, i3),
          ticks2.dash,
          ticks2.cap
        );
      }
      let grid2 = axis.grid;
      if (grid2.show) {
        drawOrthoLines(
          canOffs,
          grid2.filter(self, splits, i3, _space, incr),
          ori,
          ori == 0 ? 2 : 1,
          ori == 0 ? plotTop : plotLft,
          ori == 0 ? plotHgt : plotWid,
          roundDec(grid2.width * pxRatio, 3),
          grid2.stroke(self, i3),
          grid2.dash,
          grid2.cap
        );
      }
      if (border2.show) {
        drawOrthoLines(
          [basePos],
          [1],
          ori == 0 ? 1 : 0,
          ori == 0 ? 1 : 2,
          ori == 1 ? plotTop : plotLft,
          ori == 1 ? plotHgt : plotWid,
          roundDec(border2.width * pxRatio, 3),
          border2.stroke(self, i3),
          border2.dash,
          border2.cap
        );
      }
    }
    fire("drawAxes");
  }
  function resetYSeries(minMax) {
    series2.forEach((s3, i3) => {
      if (i3 > 0) {
        s3._paths = null;
        if (minMax) {
          if (mode == 1) {
            s3.min = null;
            s3.max = null;
          } else {
            s3.facets.forEach((f4) => {
              f4.min = null;
              f4.max = null;
            });
          }
        }
      }
    });
  }
  let queuedCommit = false;
  let deferHooks = false;
  let hooksQueue = [];
  function flushHooks() {
    deferHooks = false;
    for (let i3 = 0; i3 < hooksQueue.length; i3++)
      fire(...hooksQueue[i3]);
    hooksQueue.length = 0;
  }
  function commit() {
    if (!queuedCommit) {
      microTask(_commit);
      queuedCommit = true;
    }
  }
  function batch(fn, _deferHooks = false) {
    queuedCommit = true;
    deferHooks = _deferHooks;
    fn(self);
    _commit();
    if (_deferHooks && hooksQueue.length > 0)
      queueMicrotask(flushHooks);
  }
  self.batch = batch;
  function _commit() {
    if (shouldSetScales) {
      setScales();
      shouldSetScales = false;
    }
    if (shouldConvergeSize) {
      convergeSize();
      shouldConvergeSize = false;
    }
    if (shouldSetSize) {
      setStylePx(under, LEFT, plotLftCss);
      setStylePx(under, TOP, plotTopCss);
      setStylePx(under, WIDTH, plotWidCss);
      setStylePx(under, HEIGHT, plotHgtCss);
      setStylePx(over, LEFT, plotLftCss);
      setStylePx(over, TOP, plotTopCss);
      setStylePx(over, WIDTH, plotWidCss);
      setStylePx(over, HEIGHT, plotHgtCss);
      setStylePx(wrap, WIDTH, fullWidCss);
      setStylePx(wrap, HEIGHT, fullHgtCss);
      can.width = round(fullWidCss * pxRatio);
      can.height = round(fullHgtCss * pxRatio);
      axes.forEach(({ _el, _show, _size, _pos, side }) => {
        if (_el != null) {
          if (_show) {
            let posOffset = side === 3 || side === 0 ? _size : 0;
            let isVt = side % 2 == 1;
            setStylePx(_el, isVt ? "left" : "top", _pos - posOffset);
            setStylePx(_el, isVt ? "width" : "height", _size);
            setStylePx(_el, isVt ? "top" : "left", isVt ? plotTopCss : plotLftCss);
            setStylePx(_el, isVt ? "height" : "width", isVt ? plotHgtCss : plotWidCss);
            remClass(_el, OFF);
          } else
            addClass(_el, OFF);
        }
      });
      ctxStroke = ctxFill = ctxWidth = ctxJoin = ctxCap = ctxFont = ctxAlign = ctxBaseline = ctxDash = null;
      ctxAlpha = 1;
      syncRect(true);
      if (plotLftCss != _plotLftCss || plotTopCss != _plotTopCss || plotWidCss != _plotWidCss || plotHgtCss != _plotHgtCss) {
        resetYSeries(false);
        let pctWid = plotWidCss / _plotWidCss;
        let pctHgt = plotHgtCss / _plotHgtCss;
        if (showCursor && !shouldSetCursor && cursor.left >= 0) {
          cursor.left *= pctWid;
          cursor.top *= pctHgt;
          vCursor && elTrans(vCursor, round(cursor.left), 0, plotWidCss, plotHgtCss);
          hCursor && elTrans(hCursor, 0, round(cursor.top), plotWidCss, plotHgtCss);
          for (let i3 = 0; i3 < cursorPts.length; i3++) {
            let pt = cursorPts[i3];
            if (pt != null) {
              cursorPtsLft[i3] *= pctWid;
              cursorPtsTop[i3] *= pctHgt;
              elTrans(pt, ceil(cursorPtsLft[i3]), ceil(cursorPtsTop[i3]), plotWidCss, plotHgtCss);
            }
          }
        }
        if (select.show && !shouldSetSelect && select.left >= 0 && select.width > 0) {
          select.left *= pctWid;
          select.width *= pctWid;
          select.top *= pctHgt;
          select.height *= pctHgt;
          for (let prop in _hideProps)
            setStylePx(selectDiv, prop, select[prop]);
        }
        _plotLftCss = plotLftCss;
        _plotTopCss = plotTopCss;
        _plotWidCss = plotWidCss;
        _plotHgtCss = plotHgtCss;
      }
      fire("setSize");
      shouldSetSize = false;
    }
    if (fullWidCss > 0 && fullHgtCss > 0) {
      ctx.clearRect(0, 0, can.width, can.height);
      fire("drawClear");
      drawOrder.forEach((fn) => fn());
      fire("draw");
    }
    if (select.show && shouldSetSelect) {
      setSelect(select);
      shouldSetSelect = false;
    }
    if (showCursor && shouldSetCursor) {
      updateCursor(null, true, false);
      shouldSetCursor = false;
    }
    if (legend.show && legend.live && shouldSetLegend) {
      setLegend();
      shouldSetLegend = false;
    }
    if (!ready) {
      ready = true;
      self.status = 1;
      fire("ready");
    }
    viaAutoScaleX = false;
    queuedCommit = false;
  }
  self.redraw = (rebuildPaths, recalcAxes) => {
    shouldConvergeSize = recalcAxes || false;
    if (rebuildPaths !== false)
      _setScale(xScaleKey, scaleX.min, scaleX.max);
    else
      commit();
  };
  function setScale(key2, opts2) {
    let sc = scales[key2];
    if (sc.from == null) {
      if (dataLen == 0) {
        let minMax = sc.range(self, opts2.min, opts2.max, key2);
        opts2.min = minMax[0];
        opts2.max = minMax[1];
      }
      if (opts2.min > opts2.max) {
        let _min = opts2.min;
        opts2.min = opts2.max;
        opts2.max = _min;
      }
      if (dataLen > 1 && opts2.min != null && opts2.max != null && opts2.max - opts2.min < 1e-16)
        return;
      if (key2 == xScaleKey) {
        if (sc.distr == 2 && dataLen > 0) {
          opts2.min = closestIdx(opts2.min, data[0]);
          opts2.max = closestIdx(opts2.max, data[0]);
          if (opts2.min == opts2.max)
            opts2.max++;
        }
      }
      pendScales[key2] = opts2;
      shouldSetScales = true;
      commit();
    }
  }
  self.setScale = setScale;
  let xCursor;
  let yCursor;
  let vCursor;
  let hCursor;
  let rawMouseLeft0;
  let rawMouseTop0;
  let mouseLeft0;
  let mouseTop0;
  let rawMouseLeft1;
  let rawMouseTop1;
  let mouseLeft1;
  let mouseTop1;
  let dragging = false;
  const drag = cursor.drag;
  let dragX = drag.x;
  let dragY = drag.y;
  if (showCursor) {
    if (cursor.x)
      xCursor = placeDiv(CURSOR_X, over);
    if (cursor.y)
      yCursor = placeDiv(CURSOR_Y, over);
    if (scaleX.ori == 0) {
      vCursor = xCursor;
      hCursor = yCursor;
    } else {
      vCursor = yCursor;
      hCursor = xCursor;
    }
    mouseLeft1 = cursor.left;
    mouseTop1 = cursor.top;
  }
  const select = self.select = assign({
    show: true,
    over: true,
    left: 0,
    width: 0,
    top: 0,
    height: 0
  }, opts.select);
  const selectDiv = select.show ? placeDiv(SELECT, select.over ? over : under) : null;
  function setSelect(opts2, _fire) {
    if (select.show) {
      for (let prop in opts2) {
        select[prop] = opts2[prop];
        if (prop in _hideProps)
          setStylePx(selectDiv, prop, opts2[prop]);
      }
      _fire !== false && fire("setSelect");
    }
  }
  self.setSelect = setSelect;
  function toggleDOM(i3) {
    let s3 = series2[i3];
    if (s3.show)
      showLegend && remClass(legendRows[i3], OFF);
    else {
      showLegend && addClass(legendRows[i3], OFF);
      if (showCursor) {
        let pt = cursorOnePt ? cursorPts[0] : cursorPts[i3];
        pt != null && elTrans(pt, -10, -10, plotWidCss, plotHgtCss);
      }
    }
  }
  function _setScale(key2, min2, max2) {
    setScale(key2, { min: min2, max: max2 });
  }
  function setSeries(i3, opts2, _fire, _pub) {
    if (opts2.focus != null)
      setFocus(i3);
    if (opts2.show != null) {
      series2.forEach((s3, si) => {
        if (si > 0 && (i3 == si || i3 == null)) {
          s3.show = opts2.show;
          toggleDOM(si);
          if (mode == 2) {
            _setScale(s3.facets[0].scale, null, null);
            _setScale(s3.facets[1].scale, null, null);
          } else
            _setScale(s3.scale, null, null);
          commit();
        }
      });
    }
    _fire !== false && fire("setSeries", i3, opts2);
    _pub && pubSync("setSeries", self, i3, opts2);
  }
  self.setSeries = setSeries;
  function setBand(bi, opts2) {
    assign(bands[bi], opts2);
  }
  function addBand(opts2, bi) {
    opts2.fill = fnOrSelf(opts2.fill || null);
    opts2.dir = ifNull(opts2.dir, -1);
    bi = bi == null ? bands.length : bi;
    bands.splice(bi, 0, opts2);
  }
  function delBand(bi) {
    if (bi == null)
      bands.length = 0;
    else
      bands.splice(bi, 1);
  }
  self.addBand = addBand;
  self.setBand = setBand;
  self.delBand = delBand;
  function setAlpha(i3, value) {
    series2[i3].alpha = value;
    if (showCursor && cursorPts[i3] != null)
      cursorPts[i3].style.opacity = value;
    if (showLegend && legendRows[i3])
      legendRows[i3].style.opacity = value;
  }
  let closestDist;
  let closestSeries;
  let focusedSeries;
  const FOCUS_TRUE = { focus: true };
  function setFocus(i3) {
    if (i3 != focusedSeries) {
      let allFocused = i3 == null;
      let _setAlpha = focus.alpha != 1;
      series2.forEach((s3, i22) => {
        if (mode == 1 || i22 > 0) {
          let isFocused = allFocused || i22 == 0 || i22 == i3;
          s3._focus = allFocused ? null : isFocused;
          _setAlpha && setAlpha(i22, isFocused ? 1 : focus.alpha);
        }
      });
      focusedSeries = i3;
      _setAlpha && commit();
    }
  }
  if (showLegend && cursorFocus) {
    onMouse(mouseleave, legendTable, (e3) => {
      if (cursor._lock)
        return;
      setCursorEvent(e3);
      if (focusedSeries != null)
        setSeries(null, FOCUS_TRUE, true, syncOpts.setSeries);
    });
  }
  function posToVal(pos, scale, can2) {
    let sc = scales[scale];
    if (can2)
      pos = pos / pxRatio - (sc.ori == 1 ? plotTopCss : plotLftCss);
    let dim = plotWidCss;
    if (sc.ori == 1) {
      dim = plotHgtCss;
      pos = dim - pos;
    }
    if (sc.dir == -1)
      pos = dim - pos;
    let _min = sc._min, _max = sc._max, pct = pos / dim;
    let sv = _min + (_max - _min) * pct;
    let distr = sc.distr;
    return distr == 3 ? pow(10, sv) : distr == 4 ? sinh(sv, sc.asinh) : distr == 100 ? sc.bwd(sv) : sv;
  }
  function closestIdxFromXpos(pos, can2) {
    let v3 = posToVal(pos, xScaleKey, can2);
    return closestIdx(v3, data[0], i0, i1);
  }
  self.valToIdx = (val) => closestIdx(val, data[0]);
  self.posToIdx = closestIdxFromXpos;
  self.posToVal = posToVal;
  self.valToPos = (val, scale, can2) => scales[scale].ori == 0 ? getHPos(
    val,
    scales[scale],
    can2 ? plotWid : plotWidCss,
    can2 ? plotLft : 0
  ) : getVPos(
    val,
    scales[scale],
    can2 ? plotHgt : plotHgtCss,
    can2 ? plotTop : 0
  );
  self.setCursor = (opts2, _fire, _pub) => {
    mouseLeft1 = opts2.left;
    mouseTop1 = opts2.top;
    updateCursor(null, _fire, _pub);
  };
  function setSelH(off2, dim) {
    setStylePx(selectDiv, LEFT, select.left = off2);
    setStylePx(selectDiv, WIDTH, select.width = dim);
  }
  function setSelV(off2, dim) {
    setStylePx(selectDiv, TOP, select.top = off2);
    setStylePx(selectDiv, HEIGHT, select.height = dim);
  }
  let setSelX = scaleX.ori == 0 ? setSelH : setSelV;
  let setSelY = scaleX.ori == 1 ? setSelH : setSelV;
  function syncLegend() {
    if (showLegend && legend.live) {
      for (let i3 = mode == 2 ? 1 : 0; i3 < series2.length; i3++) {
        if (i3 == 0 && multiValLegend)
          continue;
        let vals = legend.values[i3];
        let j2 = 0;
        for (let k2 in vals)
          legendCells[i3][j2++].firstChild.nodeValue = vals[k2];
      }
    }
  }
  function setLegend(opts2, _fire) {
    if (opts2 != null) {
      if (opts2.idxs) {
        opts2.idxs.forEach((didx, sidx) => {
          activeIdxs[sidx] = didx;
        });
      } else if (!isUndef(opts2.idx))
        activeIdxs.fill(opts2.idx);
      legend.idx = activeIdxs[0];
    }
    if (showLegend && legend.live) {
      for (let sidx = 0; sidx < series2.length; sidx++) {
        if (sidx > 0 || mode == 1 && !multiValLegend)
          setLegendValues(sidx, activeIdxs[sidx]);
      }
      syncLegend();
    }
    shouldSetLegend = false;
    _fire !== false && fire("setLegend");
  }
  self.setLegend = setLegend;
  function setLegendValues(sidx, idx) {
    let s3 = series2[sidx];
    let src = sidx == 0 && xScaleDistr == 2 ? data0 : data[sidx];
    let val;
    if (multiValLegend)
      val = s3.values(self, sidx, idx) ?? NULL_LEGEND_VALUES;
    else {
      val = s3.value(self, idx == null ? null : src[idx], sidx, idx);
      val = val == null ? NULL_LEGEND_VALUES : { _: val };
    }
    legend.values[sidx] = val;
  }
  function updateCursor(src, _fire, _pub) {
    rawMouseLeft1 = mouseLeft1;
    rawMouseTop1 = mouseTop1;
    [mouseLeft1, mouseTop1] = cursor.move(self, mouseLeft1, mouseTop1);
    cursor.left = mouseLeft1;
    cursor.top = mouseTop1;
    if (showCursor) {
      vCursor && elTrans(vCursor, round(mouseLeft1), 0, plotWidCss, plotHgtCss);
      hCursor && elTrans(hCursor, 0, round(mouseTop1), plotWidCss, plotHgtCss);
    }
    let idx;
    let noDataInRange = i0 > i1;
    closestDist = inf;
    closestSeries = null;
    let xDim = scaleX.ori == 0 ? plotWidCss : plotHgtCss;
    let yDim = scaleX.ori == 1 ? plotWidCss : plotHgtCss;
    if (mouseLeft1 < 0 || dataLen == 0 || noDataInRange) {
      idx = cursor.idx = null;
      for (let i3 = 0; i3 < series2.length; i3++) {
        let pt = cursorPts[i3];
        pt != null && elTrans(pt, -10, -10, plotWidCss, plotHgtCss);
      }
      if (cursorFocus)
        setSeries(null, FOCUS_TRUE, true, src == null && syncOpts.setSeries);
      if (legend.live) {
        activeIdxs.fill(idx);
        shouldSetLegend = true;
      }
    } else {
      let mouseXPos, valAtPosX, xPos;
      if (mode == 1) {
        mouseXPos = scaleX.ori == 0 ? mouseLeft1 : mouseTop1;
        valAtPosX = posToVal(mouseXPos, xScaleKey);
        idx = cursor.idx = closestIdx(valAtPosX, data[0], i0, i1);
        xPos = valToPosX(data[0][idx], scaleX, xDim, 0);
      }
      let _ptLft = -10;
      let _ptTop = -10;
      let _ptWid = 0;
      let _ptHgt = 0;
      let _centered = true;
      let _ptFill = "";
      let _ptStroke = "";
      for (let i3 = mode == 2 ? 1 : 0; i3 < series2.length; i3++) {
        let s3 = series2[i3];
        let idx1 = activeIdxs[i3];
        let yVal1 = idx1 == null ? null : mode == 1 ? data[i3][idx1] : data[i3][1][idx1];
        let idx2 = cursor.dataIdx(self, i3, idx, valAtPosX);
        let yVal2 = idx2 == null ? null : mode == 1 ? data[i3][idx2] : data[i3][1][idx2];
        shouldSetLegend = shouldSetLegend || yVal2 != yVal1 || idx2 != idx1;
        activeIdxs[i3] = idx2;
        if (i3 > 0 && s3.show) {
          let xPos2 = idx2 == null ? -10 : idx2 == idx ? xPos : valToPosX(mode == 1 ? data[0][idx2] : data[i3][0][idx2], scaleX, xDim, 0);
          let yPos = yVal2 == null ? -10 : valToPosY(yVal2, mode == 1 ? scales[s3.scale] : scales[s3.facets[1].scale], yDim, 0);
          if (cursorFocus && yVal2 != null) {
            let mouseYPos = scaleX.ori == 1 ? mouseLeft1 : mouseTop1;
            let dist = abs(focus.dist(self, i3, idx2, yPos, mouseYPos));
            if (dist < closestDist) {
              let bias = focus.bias;
              if (bias != 0) {
                let mouseYVal = posToVal(mouseYPos, s3.scale);
                let seriesYValSign = yVal2 >= 0 ? 1 : -1;
                let mouseYValSign = mouseYVal >= 0 ? 1 : -1;
                if (mouseYValSign == seriesYValSign && (mouseYValSign == 1 ? bias == 1 ? yVal2 >= mouseYVal : yVal2 <= mouseYVal : (
                  // >= 0
                  bias == 1 ? yVal2 <= mouseYVal : yVal2 >= mouseYVal
                ))) {
                  closestDist = dist;
                  closestSeries = i3;
                }
              } else {
                closestDist = dist;
                closestSeries = i3;
              }
            }
          }
          if (shouldSetLegend || cursorOnePt) {
            let hPos, vPos;
            if (scaleX.ori == 0) {
              hPos = xPos2;
              vPos = yPos;
            } else {
              hPos = yPos;
              vPos = xPos2;
            }
            let ptWid, ptHgt, ptLft, ptTop, ptStroke, ptFill, centered = true, getBBox = points2.bbox;
            if (getBBox != null) {
              centered = false;
              let bbox = getBBox(self, i3);
              ptLft = bbox.left;
              ptTop = bbox.top;
              ptWid = bbox.width;
              ptHgt = bbox.height;
            } else {
              ptLft = hPos;
              ptTop = vPos;
              ptWid = ptHgt = points2.size(self, i3);
            }
            ptFill = points2.fill(self, i3);
            ptStroke = points2.stroke(self, i3);
            if (cursorOnePt) {
              if (i3 == closestSeries && closestDist <= focus.prox) {
                _ptLft = ptLft;
                _ptTop = ptTop;
                _ptWid = ptWid;
                _ptHgt = ptHgt;
                _centered = centered;
                _ptFill = ptFill;
                _ptStroke = ptStroke;
              }
            } else {
              let pt = cursorPts[i3];
              if (pt != null) {
                cursorPtsLft[i3] = ptLft;
                cursorPtsTop[i3] = ptTop;
                elSize(pt, ptWid, ptHgt, centered);
                elColor(pt, ptFill, ptStroke);
                elTrans(pt, ceil(ptLft), ceil(ptTop), plotWidCss, plotHgtCss);
              }
            }
          }
        }
      }
      if (cursorOnePt) {
        let p3 = focus.prox;
        let focusChanged = focusedSeries == null ? closestDist <= p3 : closestDist > p3 || closestSeries != focusedSeries;
        if (shouldSetLegend || focusChanged) {
          let pt = cursorPts[0];
          if (pt != null) {
            cursorPtsLft[0] = _ptLft;
            cursorPtsTop[0] = _ptTop;
            elSize(pt, _ptWid, _ptHgt, _centered);
            elColor(pt, _ptFill, _ptStroke);
            elTrans(pt, ceil(_ptLft), ceil(_ptTop), plotWidCss, plotHgtCss);
          }
        }
      }
    }
    if (select.show && dragging) {
      if (src != null) {
        let [xKey, yKey] = syncOpts.scales;
        let [matchXKeys, matchYKeys] = syncOpts.match;
        let [xKeySrc, yKeySrc] = src.cursor.sync.scales;
        let sdrag = src.cursor.drag;
        dragX = sdrag._x;
        dragY = sdrag._y;
        if (dragX || dragY) {
          let { left, top, width, height } = src.select;
          let sori = src.scales[xKeySrc].ori;
          let sPosToVal = src.posToVal;
          let sOff, sDim, sc, a4, b2;
          let matchingX = xKey != null && matchXKeys(xKey, xKeySrc);
          let matchingY = yKey != null && matchYKeys(yKey, yKeySrc);
          if (matchingX && dragX) {
            if (sori == 0) {
              sOff = left;
              sDim = width;
            } else {
              sOff = top;
              sDim = height;
            }
            sc = scales[xKey];
            a4 = valToPosX(sPosToVal(sOff, xKeySrc), sc, xDim, 0);
            b2 = valToPosX(sPosToVal(sOff + sDim, xKeySrc), sc, xDim, 0);
            setSelX(min(a4, b2), abs(b2 - a4));
          } else
            setSelX(0, xDim);
          if (matchingY && dragY) {
            if (sori == 1) {
              sOff = left;
              sDim = width;
            } else {
              sOff = top;
              sDim = height;
            }
            sc = scales[yKey];
            a4 = valToPosY(sPosToVal(sOff, yKeySrc), sc, yDim, 0);
            b2 = valToPosY(sPosToVal(sOff + sDim, yKeySrc), sc, yDim, 0);
            setSelY(min(a4, b2), abs(b2 - a4));
          } else
            setSelY(0, yDim);
        } else
          hideSelect();
      } else {
        let rawDX = abs(rawMouseLeft1 - rawMouseLeft0);
        let rawDY = abs(rawMouseTop1 - rawMouseTop0);
        if (scaleX.ori == 1) {
          let _rawDX = rawDX;
          rawDX = rawDY;
          rawDY = _rawDX;
        }
        dragX = drag.x && rawDX >= drag.dist;
        dragY = drag.y && rawDY >= drag.dist;
        let uni = drag.uni;
        if (uni != null) {
          if (dragX && dragY) {
            dragX = rawDX >= uni;
            dragY = rawDY >= uni;
            if (!dragX && !dragY) {
              if (rawDY > rawDX)
                dragY = true;
              else
                dragX = true;
            }
          }
        } else if (drag.x && drag.y && (dragX || dragY))
          dragX = dragY = true;
        let p0, p1;
        if (dragX) {
          if (scaleX.ori == 0) {
            p0 = mouseLeft0;
            p1 = mouseLeft1;
          } else {
            p0 = mouseTop0;
            p1 = mouseTop1;
          }
          setSelX(min(p0, p1), abs(p1 - p0));
          if (!dragY)
            setSelY(0, yDim);
        }
        if (dragY) {
          if (scaleX.ori == 1) {
            p0 = mouseLeft0;
            p1 = mouseLeft1;
          } else {
            p0 = mouseTop0;
            p1 = mouseTop1;
          }
          setSelY(min(p0, p1), abs(p1 - p0));
          if (!dragX)
            setSelX(0, xDim);
        }
        if (!dragX && !dragY) {
          setSelX(0, 0);
          setSelY(0, 0);
        }
      }
    }
    drag._x = dragX;
    drag._y = dragY;
    if (src == null) {
      if (_pub) {
        if (syncKey != null) {
          let [xSyncKey, ySyncKey] = syncOpts.scales;
          syncOpts.values[0] = xSyncKey != null ? posToVal(scaleX.ori == 0 ? mouseLeft1 : mouseTop1, xSyncKey) : null;
          syncOpts.values[1] = ySyncKey != null ? posToVal(scaleX.ori == 1 ? mouseLeft1 : mouseTop1, ySyncKey) : null;
        }
        pubSync(mousemove, self, mouseLeft1, mouseTop1, plotWidCss, plotHgtCss, idx);
      }
      if (cursorFocus) {
        let shouldPub = _pub && syncOpts.setSeries;
        let p3 = focus.prox;
        if (focusedSeries == null) {
          if (closestDist <= p3)
            setSeries(closestSeries, FOCUS_TRUE, true, shouldPub);
        } else {
          if (closestDist > p3)
            setSeries(null, FOCUS_TRUE, true, shouldPub);
          else if (closestSeries != focusedSeries)
            setSeries(closestSeries, FOCUS_TRUE, true, shouldPub);
        }
      }
    }
    if (shouldSetLegend) {
      legend.idx = idx;
      setLegend();
    }
    _fire !== false && fire("setCursor");
  }
  let rect2 = null;
  Object.defineProperty(self, "rect", {
    get() {
      if (rect2 == null)
        syncRect(false);
      return rect2;
    }
  });
  function syncRect(defer = false) {
    if (defer)
      rect2 = null;
    else {
      rect2 = over.getBoundingClientRect();
      fire("syncRect", rect2);
    }
  }
  function mouseMove(e3, src, _l, _t, _w, _h, _i) {
    if (cursor._lock)
      return;
    if (dragging && e3 != null && e3.movementX == 0 && e3.movementY == 0)
      return;
    cacheMouse(e3, src, _l, _t, _w, _h, _i, false, e3 != null);
    if (e3 != null)
      updateCursor(null, true, true);
    else
      updateCursor(src, true, false);
  }
  function cacheMouse(e3, src, _l, _t, _w, _h, _i, initial, snap) {
    if (rect2 == null)
      syncRect(false);
    setCursorEvent(e3);
    if (e3 != null) {
      _l = e3.clientX - rect2.left;
      _t = e3.clientY - rect2.top;
    } else {
      if (_l < 0 || _t < 0) {
        mouseLeft1 = -10;
        mouseTop1 = -10;
        return;
      }
      let [xKey, yKey] = syncOpts.scales;
      let syncOptsSrc = src.cursor.sync;
      let [xValSrc, yValSrc] = syncOptsSrc.values;
      let [xKeySrc, yKeySrc] = syncOptsSrc.scales;
      let [matchXKeys, matchYKeys] = syncOpts.match;
      let rotSrc = src.axes[0].side % 2 == 1;
      let xDim = scaleX.ori == 0 ? plotWidCss : plotHgtCss, yDim = scaleX.ori == 1 ? plotWidCss : plotHgtCss, _xDim = rotSrc ? _h : _w, _yDim = rotSrc ? _w : _h, _xPos = rotSrc ? _t : _l, _yPos = rotSrc ? _l : _t;
      if (xKeySrc != null)
        _l = matchXKeys(xKey, xKeySrc) ? getPos(xValSrc, scales[xKey], xDim, 0) : -10;
      else
        _l = xDim * (_xPos / _xDim);
      if (yKeySrc != null)
        _t = matchYKeys(yKey, yKeySrc) ? getPos(yValSrc, scales[yKey], yDim, 0) : -10;
      else
        _t = yDim * (_yPos / _yDim);
      if (scaleX.ori == 1) {
        let __l = _l;
        _l = _t;
        _t = __l;
      }
    }
    if (snap && (src == null || src.cursor.event.type == mousemove)) {
      if (_l <= 1 || _l >= plotWidCss - 1)
        _l = incrRound(_l, plotWidCss);
      if (_t <= 1 || _t >= plotHgtCss - 1)
        _t = incrRound(_t, plotHgtCss);
    }
    if (initial) {
      rawMouseLeft0 = _l;
      rawMouseTop0 = _t;
      [mouseLeft0, mouseTop0] = cursor.move(self, _l, _t);
    } else {
      mouseLeft1 = _l;
      mouseTop1 = _t;
    }
  }
  const _hideProps = {
    width: 0,
    height: 0,
    left: 0,
    top: 0
  };
  function hideSelect() {
    setSelect(_hideProps, false);
  }
  let downSelectLeft;
  let downSelectTop;
  let downSelectWidth;
  let downSelectHeight;
  function mouseDown(e3, src, _l, _t, _w, _h, _i) {
    dragging = true;
    dragX = dragY = drag._x = drag._y = false;
    cacheMouse(e3, src, _l, _t, _w, _h, _i, true, false);
    if (e3 != null) {
      onMouse(mouseup, doc, mouseUp, false);
      pubSync(mousedown, self, mouseLeft0, mouseTop0, plotWidCss, plotHgtCss, null);
    }
    let { left, top, width, height } = select;
    downSelectLeft = left;
    downSelectTop = top;
    downSelectWidth = width;
    downSelectHeight = height;
  }
  function mouseUp(e3, src, _l, _t, _w, _h, _i) {
    dragging = drag._x = drag._y = false;
    cacheMouse(e3, src, _l, _t, _w, _h, _i, false, true);
    let { left, top, width, height } = select;
    let hasSelect = width > 0 || height > 0;
    let chgSelect = downSelectLeft != left || downSelectTop != top || downSelectWidth != width || downSelectHeight != height;
    hasSelect && chgSelect && setSelect(select);
    if (drag.setScale && hasSelect && chgSelect) {
      let xOff = left, xDim = width, yOff = top, yDim = height;
      if (scaleX.ori == 1) {
        xOff = top, xDim = height, yOff = left, yDim = width;
      }
      if (dragX) {
        _setScale(
          xScaleKey,
          posToVal(xOff, xScaleKey),
          posToVal(xOff + xDim, xScaleKey)
        );
      }
      if (dragY) {
        for (let k2 in scales) {
          let sc = scales[k2];
          if (k2 != xScaleKey && sc.from == null && sc.min != inf) {
            _setScale(
              k2,
              posToVal(yOff + yDim, k2),
              posToVal(yOff, k2)
            );
          }
        }
      }
      hideSelect();
    } else if (cursor.lock) {
      cursor._lock = !cursor._lock;
      updateCursor(src, true, e3 != null);
    }
    if (e3 != null) {
      offMouse(mouseup, doc);
      pubSync(mouseup, self, mouseLeft1, mouseTop1, plotWidCss, plotHgtCss, null);
    }
  }
  function mouseLeave(e3, src, _l, _t, _w, _h, _i) {
    if (cursor._lock)
      return;
    setCursorEvent(e3);
    let _dragging = dragging;
    if (dragging) {
      let snapH = true;
      let snapV = true;
      let snapProx = 10;
      let dragH, dragV;
      if (scaleX.ori == 0) {
        dragH = dragX;
        dragV = dragY;
      } else {
        dragH = dragY;
        dragV = dragX;
      }
      if (dragH && dragV) {
        snapH = mouseLeft1 <= snapProx || mouseLeft1 >= plotWidCss - snapProx;
        snapV = mouseTop1 <= snapProx || mouseTop1 >= plotHgtCss - snapProx;
      }
      if (dragH && snapH)
        mouseLeft1 = mouseLeft1 < mouseLeft0 ? 0 : plotWidCss;
      if (dragV && snapV)
        mouseTop1 = mouseTop1 < mouseTop0 ? 0 : plotHgtCss;
      updateCursor(null, true, true);
      dragging = false;
    }
    mouseLeft1 = -10;
    mouseTop1 = -10;
    activeIdxs.fill(null);
    updateCursor(null, true, true);
    if (_dragging)
      dragging = _dragging;
  }
  function dblClick(e3, src, _l, _t, _w, _h, _i) {
    if (cursor._lock)
      return;
    setCursorEvent(e3);
    autoScaleX();
    hideSelect();
    if (e3 != null)
      pubSync(dblclick, self, mouseLeft1, mouseTop1, plotWidCss, plotHgtCss, null);
  }
  function syncPxRatio() {
    axes.forEach(syncFontSize);
    _setSize(self.width, self.height, true);
  }
  on(dppxchange, win, syncPxRatio);
  const events = {};
  events.mousedown = mouseDown;
  events.mousemove = mouseMove;
  events.mouseup = mouseUp;
  events.dblclick = dblClick;
  events["setSeries"] = (e3, src, idx, opts2) => {
    let seriesIdxMatcher2 = syncOpts.match[2];
    idx = seriesIdxMatcher2(self, src, idx);
    idx != -1 && setSeries(idx, opts2, true, false);
  };
  if (showCursor) {
    onMouse(mousedown, over, mouseDown);
    onMouse(mousemove, over, mouseMove);
    onMouse(mouseenter, over, (e3) => {
      setCursorEvent(e3);
      syncRect(false);
    });
    onMouse(mouseleave, over, mouseLeave);
    onMouse(dblclick, over, dblClick);
    cursorPlots.add(self);
    self.syncRect = syncRect;
  }
  const hooks = self.hooks = opts.hooks || {};
  function fire(evName, a1, a22) {
    if (deferHooks)
      hooksQueue.push([evName, a1, a22]);
    else {
      if (evName in hooks) {
        hooks[evName].forEach((fn) => {
          fn.call(null, self, a1, a22);
        });
      }
    }
  }
  (opts.plugins || []).forEach((p3) => {
    for (let evName in p3.hooks)
      hooks[evName] = (hooks[evName] || []).concat(p3.hooks[evName]);
  });
  const seriesIdxMatcher = (self2, src, srcSeriesIdx) => srcSeriesIdx;
  const syncOpts = assign({
    key: null,
    setSeries: false,
    filters: {
      pub: retTrue,
      sub: retTrue
    },
    scales: [xScaleKey, series2[1] ? series2[1].scale : null],
    match: [retEq, retEq, seriesIdxMatcher],
    values: [null, null]
  }, cursor.sync);
  if (syncOpts.match.length == 2)
    syncOpts.match.push(seriesIdxMatcher);
  cursor.sync = syncOpts;
  const syncKey = syncOpts.key;
  const sync = _sync(syncKey);
  function pubSync(type, src, x2, y3, w3, h3, i3) {
    if (syncOpts.filters.pub(type, src, x2, y3, w3, h3, i3))
      sync.pub(type, src, x2, y3, w3, h3, i3);
  }
  sync.sub(self);
  function pub(type, src, x2, y3, w3, h3, i3) {
    if (syncOpts.filters.sub(type, src, x2, y3, w3, h3, i3))
      events[type](null, src, x2, y3, w3, h3, i3);
  }
  self.pub = pub;
  function destroy() {
    sync.unsub(self);
    cursorPlots.delete(self);
    mouseListeners.clear();
    off(dppxchange, win, syncPxRatio);
    root.remove();
    legendTable?.remove();
    fire("destroy");
  }
  self.destroy = destroy;
  function _init() {
    fire("init", opts, data);
    setData(data || opts.data, false);
    if (pendScales[xScaleKey])
      setScale(xScaleKey, pendScales[xScaleKey]);
    else
      autoScaleX();
    shouldSetSelect = select.show && (select.width > 0 || select.height > 0);
    shouldSetCursor = shouldSetLegend = true;
    _setSize(opts.width, opts.height);
  }
  series2.forEach(initSeries);
  axes.forEach(initAxis);
  if (then) {
    if (then instanceof HTMLElement) {
      then.appendChild(root);
      _init();
    } else
      then(self, _init);
  } else
    _init();
  return self;
}
uPlot.assign = assign;
uPlot.fmtNum = fmtNum;
uPlot.rangeNum = rangeNum;
uPlot.rangeLog = rangeLog;
uPlot.rangeAsinh = rangeAsinh;
uPlot.orient = orient;
uPlot.pxRatio = pxRatio;
{
  uPlot.join = join;
}
{
  uPlot.fmtDate = fmtDate;
  uPlot.tzDate = tzDate;
}
uPlot.sync = _sync;
{
  uPlot.addGap = addGap;
  uPlot.clipGaps = clipGaps;
  let paths = uPlot.paths = {
    points
  };
  paths.linear = linear;
  paths.stepped = stepped;
  paths.bars = bars;
  paths.spline = monotoneCubic;
}

// src/time_axis.ts
var MINUTE = 60;
var DAY2 = 86400;
var AROUND = 5 * MINUTE;
function timeRange(times) {
  const [first, last] = [(times[0] ?? 0) / 1e3, (times.at(-1) ?? 0) / 1e3];
  return first === last ? [Math.max(0, first - AROUND), last + AROUND] : [first, last];
}
function timeLabels(seconds, times, isElapsed) {
  const labels = seconds.map((time2) => isElapsed ? span(time2 * 1e3) : clockLabel(time2, times));
  return labels.map((label, index) => label === labels[index - 1] ? "" : label);
}
function clockLabel(time2, times) {
  const moment = new Date(time2 * 1e3);
  const isLong = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1e3 > 2 * DAY2;
  const isMidnight = moment.getHours() === 0 && moment.getMinutes() === 0;
  const options = isLong || isMidnight ? { weekday: "short", day: "numeric" } : { hour: "2-digit", minute: "2-digit" };
  return moment.toLocaleString("en-GB", options);
}

// src/chart.tsx
function Chart(props) {
  const box = T2(null);
  const pointed = T2(props.onPoint);
  pointed.current = props.onPoint;
  const shown = JSON.stringify([props.times, props.lines, props.marks, props.top, props.height, props.label]);
  A2(() => {
    const place2 = box.current;
    if (!place2) return;
    let plot = draw(place2, props, pointed);
    const again = () => {
      plot.destroy();
      plot = draw(place2, props, pointed);
    };
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    const size = new ResizeObserver(() => plot.setSize({ width: place2.clientWidth, height: plot.height }));
    size.observe(place2);
    scheme.addEventListener("change", again);
    return () => {
      size.disconnect();
      scheme.removeEventListener("change", again);
      plot.destroy();
    };
  }, [shown]);
  return /* @__PURE__ */ a3("div", { class: "chart", ref: box, role: "img", "aria-label": props.label });
}
function draw(place2, props, pointed) {
  const { times, lines, marks = [], height = 150, isElapsed = false } = props;
  const colour = coloursOf(place2);
  const axis = { stroke: colour("--quiet"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false } };
  return new uPlot(
    {
      width: place2.clientWidth,
      height,
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, points: { show: false }, y: false },
      scales: {
        x: { range: () => timeRange(times) },
        y: { range: (_4, least, most) => rangeOf(props, least, most) }
      },
      axes: [
        {
          ...axis,
          values: (_4, splits) => timeLabels(splits, times, isElapsed),
          space: 70,
          size: 30
        },
        { ...axis, size: 44, space: 28 }
      ],
      series: [{}, ...lines.map((line) => series(line, colour))],
      hooks: {
        draw: [(plot) => drawMarks(plot, marks, colour)],
        setCursor: [({ cursor: { idx } }) => pointed.current?.(idx ?? null)]
      }
    },
    [times.map((time2) => time2 / 1e3), ...lines.map((line) => [...line.values])],
    place2
  );
}
function rangeOf({ top, isFitted }, least, most) {
  if (!isFitted) return [0, top ?? Math.max(1, most * 1.08)];
  const margin = (most - least) * 0.08 || Math.abs(most) * 0.1 || 1;
  return [least - margin, most + margin];
}
function series(line, colour) {
  const stroke = colour(line.colour);
  return {
    label: line.name,
    stroke,
    width: 1.5,
    points: { show: line.isDots || isSingle(line), fill: stroke },
    spanGaps: true,
    ...line.isFilled && { fill: stroke.replace("rgb(", "rgba(").replace(")", ", 0.28)") },
    ...line.isDashed && { dash: [5, 4] },
    ...line.isDots && { paths: () => null },
    ...line.isStepped && uPlot.paths.stepped && { paths: uPlot.paths.stepped({ align: 1 }) }
  };
}
function isSingle({ values: values2 }) {
  return values2.filter((value) => value !== null).length === 1;
}
function drawMarks(plot, marks, colour) {
  const { left, top, width, height } = plot.bbox;
  for (const mark of marks) {
    const x2 = Math.round(plot.valToPos(mark.at / 1e3, "x", true)) + 0.5;
    if (x2 < left || x2 > left + width) continue;
    plot.ctx.save();
    plot.ctx.strokeStyle = colour(mark.colour);
    plot.ctx.lineWidth = devicePixelRatio;
    plot.ctx.setLineDash([]);
    plot.ctx.beginPath();
    plot.ctx.moveTo(x2, top);
    plot.ctx.lineTo(x2, top + height);
    plot.ctx.stroke();
    plot.ctx.restore();
  }
}
function coloursOf(place2) {
  return (name) => {
    place2.style.color = `var(${name})`;
    const found = getComputedStyle(place2).color;
    place2.style.color = "";
    return found;
  };
}

// src/metric_charts.ts
function figuresOf(chart) {
  const lines = chart.lines.map((line) => line.values.filter((value) => value !== null));
  const all = lines.flat();
  const lasts = lines.map((values2) => values2.at(-1)).filter((value) => value !== void 0);
  const mean2 = (values2) => values2.reduce((sum2, value) => sum2 + value, 0) / Math.max(1, values2.length);
  return {
    last: mean2(lasts),
    mean: mean2(all),
    least: all.reduce((least, value) => Math.min(least, value), all[0] ?? 0),
    most: all.reduce((most, value) => Math.max(most, value), all[0] ?? 0)
  };
}
function lastOfEach(chart) {
  const lasts = chart.lines.map((line) => ({ ...chart, lines: [line] })).filter(({ lines: [line] }) => {
    return line?.values.some((value) => value !== null);
  });
  return lasts.map((one) => `${one.lines[0]?.name} ${withUnit(figuresOf(one).last, chart.unit)}`).join(", ");
}
function withUnit(value, unit) {
  const text = Math.abs(value) >= 1e3 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(3)));
  return unit ? `${text} ${unit}` : text;
}
function metricSummary(chart) {
  const { last, mean: mean2, least, most } = figuresOf(chart);
  const [end, middle, bottom, top] = [last, mean2, least, most].map((value) => withUnit(value, chart.unit));
  return `${chart.name}: ${end} at last, ${middle} on average, from ${bottom} to ${top}`;
}
function topOf(chart) {
  return chart.unit === "%" ? 100 : void 0;
}

// src/once.ts
function useOnce(load, about) {
  const [value, setValue] = d2(null);
  const [error, setError] = d2(null);
  A2(() => {
    let isOver = false;
    setValue(null);
    setError(null);
    load().then(
      (found) => isOver || setValue(() => found),
      (cause) => isOver || setError(refusalOf(cause))
    );
    return () => {
      isOver = true;
    };
  }, [about]);
  return { value, error };
}

// src/metrics_section.tsx
var EVERY = 6e4;
var LINE_COLOURS = ["--running", "--launching", "--preempted", "--stopping"];
function MetricsSection({ job, now }) {
  const [chosen2, setChosen] = d2("");
  const attempt = job.attempts.find((one) => one.name === chosen2) ?? job.attempts.at(-1);
  const name = attempt?.name ?? "";
  const { metrics, error } = useMetrics(job.name, name, attempt?.ended_at ? 0 : now);
  const several = metrics?.charts.find((chart) => chart.lines.length > 1);
  const hosts = metrics?.charts.find((chart) => chart.lines[0]?.name !== chart.name)?.lines.length;
  return /* @__PURE__ */ a3("section", { "aria-labelledby": "metrics-title", children: [
    /* @__PURE__ */ a3("header", { class: "section-head", children: [
      /* @__PURE__ */ a3("h2", { id: "metrics-title", children: "Metrics" }),
      /* @__PURE__ */ a3("label", { class: "quiet", children: [
        "of",
        " ",
        /* @__PURE__ */ a3("select", { value: name, onChange: (event) => setChosen(event.currentTarget.value), children: job.attempts.map((one) => /* @__PURE__ */ a3("option", { value: one.name, children: one.name }, one.name)) })
      ] }),
      /* @__PURE__ */ a3("span", { class: "quiet", "aria-live": "polite", children: [
        !metrics && !error && "Loading from CloudWatch \u2026",
        metrics && hosts && hosts < metrics.hosts && `the first ${hosts} of ${metrics.hosts} hosts`
      ] }),
      /* @__PURE__ */ a3("span", { class: "grow" }),
      several && /* @__PURE__ */ a3(ChartLegend, { names: several.lines.map((line) => line.name) })
    ] }),
    error && /* @__PURE__ */ a3(Trouble, { error }),
    metrics && !metrics.charts.length && /* @__PURE__ */ a3("p", { class: "empty", children: "CloudWatch has no metrics for this attempt: they begin about a minute after the training does." }),
    metrics && metrics.charts.length > 0 && /* @__PURE__ */ a3($, { children: [
      /* @__PURE__ */ a3("div", { class: "charts small", children: metrics.charts.map((chart) => /* @__PURE__ */ a3(MetricFigure, { chart }, chart.name)) }),
      /* @__PURE__ */ a3(Figures, { charts: metrics.charts })
    ] })
  ] });
}
function useMetrics(job, attempt, now) {
  const load = () => read(ofJob(job, "metrics"), { attempt });
  const { value, error } = useOnce(load, `${job} ${attempt} ${Math.floor(now / EVERY)}`);
  const kept3 = T2(null);
  if (value) kept3.current = value;
  const isKept = kept3.current?.attempt === attempt;
  return { metrics: value ?? (isKept ? kept3.current : null), error };
}
function MetricFigure({ chart, isElapsed = false }) {
  return /* @__PURE__ */ a3("figure", { class: "chart-of", children: [
    /* @__PURE__ */ a3("figcaption", { children: [
      /* @__PURE__ */ a3("strong", { children: chart.name }),
      " ",
      /* @__PURE__ */ a3("span", { class: "quiet", children: isElapsed ? lastOfEach(chart) : withUnit(figuresOf(chart).last, chart.unit) })
    ] }),
    /* @__PURE__ */ a3(
      Chart,
      {
        label: metricSummary(chart),
        times: chart.times,
        lines: chart.lines.map((line, index) => ({
          name: line.name,
          values: line.values,
          colour: colourOf(index),
          isFilled: chart.lines.length === 1
        })),
        height: 110,
        top: topOf(chart),
        isFitted: !chart.unit,
        isElapsed
      }
    )
  ] });
}
function colourOf(line) {
  return LINE_COLOURS[line % LINE_COLOURS.length];
}
function ChartLegend({ names }) {
  return /* @__PURE__ */ a3("span", { class: "chart-legend quiet", children: names.map((name, index) => /* @__PURE__ */ a3("span", { children: [
    /* @__PURE__ */ a3("span", { class: "swatch", style: { background: `var(${colourOf(index)})` }, "aria-hidden": "true" }),
    " ",
    name
  ] }, name)) });
}
var COLUMNS2 = ["Last", "Mean", "Least", "Most"];
function Figures({ charts }) {
  return /* @__PURE__ */ a3("details", { class: "numbers of-section", children: [
    /* @__PURE__ */ a3("summary", { children: "As a table" }),
    /* @__PURE__ */ a3("table", { class: "cards", children: [
      /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
        /* @__PURE__ */ a3("th", { scope: "col", children: "Metric" }),
        COLUMNS2.map((column) => /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: column }, column))
      ] }) }),
      /* @__PURE__ */ a3("tbody", { children: charts.map((chart) => /* @__PURE__ */ a3("tr", { children: [
        /* @__PURE__ */ a3("th", { scope: "row", children: chart.name }),
        COLUMNS2.map((column) => /* @__PURE__ */ a3("td", { class: "number", "data-label": lower(column), children: withUnit(figuresOf(chart)[lower(column)], chart.unit) }, column))
      ] }, chart.name)) })
    ] })
  ] });
}
function lower(column) {
  return column.toLowerCase();
}

// src/comparison_section.tsx
function ComparisonSection({ job, now }) {
  const [query2, setQuery] = useQuery();
  const name = query2.get("with") ?? "";
  const [text, setText] = d2(name);
  return /* @__PURE__ */ a3("section", { "aria-labelledby": "comparison-title", children: [
    /* @__PURE__ */ a3("header", { class: "section-head", children: [
      /* @__PURE__ */ a3("h2", { id: "comparison-title", children: "Compare" }),
      /* @__PURE__ */ a3(
        "form",
        {
          onSubmit: (event) => {
            event.preventDefault();
            setQuery({ with: text.trim() });
          },
          children: /* @__PURE__ */ a3("label", { children: [
            /* @__PURE__ */ a3("span", { class: "unseen", children: "Compare with job" }),
            /* @__PURE__ */ a3(
              "input",
              {
                type: "search",
                placeholder: "Another job",
                value: text,
                onInput: (event) => {
                  setText(event.currentTarget.value);
                  if (!event.currentTarget.value) setQuery({ with: "" });
                }
              }
            )
          ] })
        }
      )
    ] }),
    name && /* @__PURE__ */ a3(Compared, { job, name, now }, name)
  ] });
}
function Compared({ job, name, now }) {
  const { value: other, error } = useOnce(() => read(ofJob(name)), name);
  if (error) return /* @__PURE__ */ a3(Trouble, { error });
  if (!other) return /* @__PURE__ */ a3("p", { class: "empty", children: [
    "Loading ",
    name,
    " \u2026"
  ] });
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3(Differences, { one: job, other }),
    job.attempts.length > 0 && other.attempts.length > 0 && /* @__PURE__ */ a3(Overlaid, { one: job, other, now })
  ] });
}
function Differences({ one, other }) {
  const rows = differencesOf(one, other);
  if (!rows.length) return /* @__PURE__ */ a3("p", { class: "empty", children: "Nothing but their names differs." });
  return /* @__PURE__ */ a3("table", { class: "cards", children: [
    /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "col", children: "Differs" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: one.name }),
      /* @__PURE__ */ a3("th", { scope: "col", children: /* @__PURE__ */ a3("a", { class: "link", href: linkTo(other.name), children: other.name }) })
    ] }) }),
    /* @__PURE__ */ a3("tbody", { children: rows.map((row) => /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "row", children: row.name }),
      /* @__PURE__ */ a3("td", { class: "wraps", "data-label": one.name, children: row.one || /* @__PURE__ */ a3("span", { class: "quiet", children: "none" }) }),
      /* @__PURE__ */ a3("td", { class: "wraps", "data-label": other.name, children: row.other || /* @__PURE__ */ a3("span", { class: "quiet", children: "none" }) })
    ] }, row.name)) })
  ] });
}
function Overlaid({ one, other, now }) {
  const [ours, theirs] = [useLastMetrics(one, now), useLastMetrics(other, now)];
  const error = ours.error ?? theirs.error;
  if (error) return /* @__PURE__ */ a3(Trouble, { error });
  if (!ours.metrics || !theirs.metrics) return /* @__PURE__ */ a3("p", { class: "empty", children: "Loading from CloudWatch \u2026" });
  const charts = overlaid(ours.metrics, theirs.metrics, [one.name, other.name]);
  if (!charts.length) return /* @__PURE__ */ a3("p", { class: "nothing quiet", children: "CloudWatch has no metrics for their last attempts." });
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("p", { class: "nothing", children: [
      /* @__PURE__ */ a3("span", { class: "quiet", children: "Their last attempts, since each began:" }),
      " ",
      /* @__PURE__ */ a3(ChartLegend, { names: [one.name, other.name] })
    ] }),
    /* @__PURE__ */ a3("div", { class: "charts small", children: charts.map((chart) => /* @__PURE__ */ a3(MetricFigure, { chart, isElapsed: true }, chart.name)) })
  ] });
}
function useLastMetrics(job, now) {
  const last = job.attempts.at(-1);
  return useMetrics(job.name, last?.name ?? "", last?.ended_at ? 0 : now);
}

// src/fact.tsx
function Fact({ name, children }) {
  return /* @__PURE__ */ a3("div", { children: [
    /* @__PURE__ */ a3("dt", { children: name }),
    /* @__PURE__ */ a3("dd", { children })
  ] });
}

// src/job_cost.tsx
function JobCosts({ job }) {
  const { cost } = job;
  if (!cost || !job.attempts.length) return null;
  const billed = job.attempts.flatMap((attempt) => attempt.billable_seconds ?? []);
  const seconds = billed.reduce((sum2, one) => sum2 + one, 0);
  return /* @__PURE__ */ a3("section", { "aria-labelledby": "cost-title", children: [
    /* @__PURE__ */ a3("header", { class: "section-head", children: [
      /* @__PURE__ */ a3("h2", { id: "cost-title", children: "Cost" }),
      cost.prices_as_of && /* @__PURE__ */ a3("span", { class: "quiet", children: [
        "at prices of ",
        cost.prices_as_of
      ] })
    ] }),
    cost.prices_as_of && /* @__PURE__ */ a3("p", { class: "lead", children: costText(cost) }),
    /* @__PURE__ */ a3("dl", { class: "facts", children: [
      /* @__PURE__ */ a3(Fact, { name: "billed", children: billed.length ? `${span(seconds * 1e3)} of each instance` : "not reported yet" }),
      cost.retained_dollars > 0 && /* @__PURE__ */ a3(Fact, { name: "warm pools, included", children: dollars(cost.retained_dollars) }),
      cost.saved_dollars > 0 && /* @__PURE__ */ a3(Fact, { name: "saved by spot", children: dollars(cost.saved_dollars) }),
      cost.wasted_dollars_at_most > 0 && /* @__PURE__ */ a3(Fact, { name: "wasted at most", children: [
        dollars(cost.wasted_dollars_at_most),
        ", lost to preemptions and failures"
      ] }),
      cost.unknown_types.length > 0 && /* @__PURE__ */ a3(Fact, { name: "no known price", children: [
        "for ",
        cost.unknown_types.join(", "),
        ": its attempts are left out (`sagequeue prices`)"
      ] })
    ] })
  ] });
}

// src/lineage.tsx
function Lineage({ job, now }) {
  const from = Date.parse(job.submitted_at);
  const until = Math.max(from + 1e3, job.attempts.some(isLive) ? now : lastMoment(job, now));
  return /* @__PURE__ */ a3("section", { "aria-labelledby": "lineage-title", children: [
    /* @__PURE__ */ a3("header", { class: "section-head", children: [
      /* @__PURE__ */ a3("h2", { id: "lineage-title", children: "Attempts" }),
      /* @__PURE__ */ a3("span", { class: "quiet", children: [
        "waited ",
        span(waited(job, now)),
        ", held instances ",
        span(held(job, now))
      ] })
    ] }),
    job.attempts.length ? /* @__PURE__ */ a3("table", { class: "cards wide lineage", children: [
      /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
        /* @__PURE__ */ a3("th", { scope: "col", children: "Attempt" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Result" }),
        /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Held for" }),
        /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Billed" }),
        /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Cost" }),
        /* @__PURE__ */ a3("th", { scope: "col", class: "axis", children: "Since submission" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Details" })
      ] }) }),
      /* @__PURE__ */ a3("tbody", { children: job.attempts.map((attempt) => /* @__PURE__ */ a3(Row, { attempt, job, now, from, until }, attempt.name)) })
    ] }) : /* @__PURE__ */ a3("p", { class: "empty", children: "No attempts yet." })
  ] });
}
function Row(props) {
  const { attempt, job, now, from, until } = props;
  const [start2, end] = [Date.parse(attempt.reserved_at), endOf(attempt, now)];
  const left = (start2 - from) / (until - from) * 100;
  const width = (end - start2) / (until - from) * 100;
  const kind = isLive(attempt) ? job.state : `ended ${attempt.outcome}`;
  return /* @__PURE__ */ a3("tr", { children: [
    /* @__PURE__ */ a3("th", { scope: "row", title: `Training job ${attempt.name} in SageMaker`, children: attempt.name }),
    /* @__PURE__ */ a3("td", { children: attempt.outcome?.replaceAll("_", " ") ?? job.state }),
    /* @__PURE__ */ a3("td", { class: "number", "data-label": "held for", children: span(end - start2) }),
    /* @__PURE__ */ a3("td", { class: "number", "data-label": "billed", children: attempt.billable_seconds != null && span(attempt.billable_seconds * 1e3) }),
    /* @__PURE__ */ a3("td", { class: "number", "data-label": "cost", children: attempt.cost !== void 0 && costText(attempt.cost) }),
    /* @__PURE__ */ a3("td", { class: "axis", children: /* @__PURE__ */ a3("span", { class: "track", children: /* @__PURE__ */ a3(
      "span",
      {
        class: `bar ${kind}`,
        title: `${clock(start2, now)} to ${isLive(attempt) ? "now" : clock(end, now)}`,
        style: { left: `${left}%`, width: `max(3px, ${width}%)` }
      }
    ) }) }),
    /* @__PURE__ */ a3("td", { class: "wraps", children: /* @__PURE__ */ a3(Happened, { attempt }) })
  ] });
}
function Happened({ attempt }) {
  if (attempt.beneficiary) {
    return /* @__PURE__ */ a3($, { children: [
      "preempted for",
      " ",
      /* @__PURE__ */ a3("a", { class: "link", href: linkTo(attempt.beneficiary), children: attempt.beneficiary })
    ] });
  }
  const spot = attempt.interruptions ? `, ${attempt.interruptions} \xD7 interrupted by spot` : "";
  const treated = [attempt.failure_class?.replaceAll("_", " "), attempt.action].filter(Boolean).join(", ");
  const said2 = [attempt.failure_reason || attempt.message || attempt.secondary_status, treated && `(${treated})`];
  return /* @__PURE__ */ a3($, { children: said2.filter(Boolean).join(" ") + spot });
}
function isLive(attempt) {
  return attempt.outcome === null;
}
function endOf(attempt, now) {
  return attempt.ended_at ? Date.parse(attempt.ended_at) : now;
}
function lastMoment(job, now) {
  const isOver = ["completed", "failed", "stopped"].includes(job.state);
  const ends = job.attempts.map((attempt) => endOf(attempt, now));
  return isOver && ends.length ? Math.max(...ends) : now;
}
function held(job, now) {
  return job.attempts.reduce((sum2, attempt) => sum2 + endOf(attempt, now) - Date.parse(attempt.reserved_at), 0);
}
function waited(job, now) {
  const end = job.attempts.some(isLive) ? now : lastMoment(job, now);
  return Math.max(0, end - Date.parse(job.submitted_at) - held(job, now));
}

// src/links.ts
var TOOLS = [
  [/mlflow/i, "MLflow"],
  [/wandb|weights.?and.?biases/i, "W&B"],
  [/tensorboard/i, "TensorBoard"]
];
function linksOf(request) {
  const tags2 = request?.Tags ?? [];
  return tags2.filter((tag) => isWebPage(tag.Value)).map((tag) => ({ name: toolOf(`${tag.Key} ${tag.Value}`) ?? tag.Key, address: tag.Value }));
}
function tensorBoardFolder(request) {
  const output = request?.TensorBoardOutputConfig;
  return output?.S3OutputPath ?? null;
}
function toolOf(text) {
  return TOOLS.find(([pattern]) => pattern.test(text))?.[1];
}
function isWebPage(text) {
  return URL.canParse(text) && ["https:", "http:"].includes(new URL(text).protocol);
}

// src/log_search.ts
function parted(line, search) {
  if (!search) return [line];
  const parts = [];
  const [text, wanted] = [line.toLowerCase(), search.toLowerCase()];
  let from = 0;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, from)) {
    parts.push(line.slice(from, at), line.slice(at, at + wanted.length));
    from = at + wanted.length;
  }
  return [...parts, line.slice(from)];
}

// src/log_tail.tsx
function LogTail({ job, now }) {
  const [attempt, setAttempt] = d2("");
  const [text, setText] = d2("");
  const [search, setSearch] = d2("");
  return /* @__PURE__ */ a3("section", { "aria-labelledby": "log-title", children: [
    /* @__PURE__ */ a3("header", { class: "section-head", children: [
      /* @__PURE__ */ a3("h2", { id: "log-title", children: "Log" }),
      /* @__PURE__ */ a3("label", { class: "quiet", children: [
        "of",
        " ",
        /* @__PURE__ */ a3("select", { value: attempt, onChange: (event) => setAttempt(event.currentTarget.value), children: [
          /* @__PURE__ */ a3("option", { value: "", children: "all attempts" }),
          job.attempts.map((one) => /* @__PURE__ */ a3("option", { value: one.name, children: one.name }, one.name))
        ] })
      ] }),
      /* @__PURE__ */ a3(
        "form",
        {
          onSubmit: (event) => {
            event.preventDefault();
            setSearch(text.trim());
          },
          children: /* @__PURE__ */ a3("label", { children: [
            /* @__PURE__ */ a3("span", { class: "unseen", children: "Search the log" }),
            /* @__PURE__ */ a3(
              "input",
              {
                type: "search",
                placeholder: "Search the log",
                value: text,
                onInput: (event) => {
                  setText(event.currentTarget.value);
                  if (!event.currentTarget.value) setSearch("");
                }
              }
            )
          ] })
        }
      ),
      !search && /* @__PURE__ */ a3("span", { class: "quiet", children: [
        "last lines; `sagequeue logs ",
        job.name,
        "` prints the whole log"
      ] })
    ] }),
    search ? /* @__PURE__ */ a3(Found, { job, attempt, search, now }) : /* @__PURE__ */ a3(Tail, { job, attempt, now })
  ] });
}
function Tail({ job, attempt, now }) {
  const tail = usePolled(() => read(ofJob(job.name, "log"), { attempt }), attempt);
  return /* @__PURE__ */ a3($, { children: [
    tail.error && /* @__PURE__ */ a3(Trouble, { error: tail.error }),
    tail.value?.lines.length ? /* @__PURE__ */ a3(Lines, { lines: tail.value.lines, label: `The last lines of ${attempt || "all attempts"}`, search: "", now }) : /* @__PURE__ */ a3("p", { class: "empty", children: tail.value ? "No log lines yet." : "Loading \u2026" })
  ] });
}
function Found({ job, attempt, search, now }) {
  const load = () => read(ofJob(job.name, "log"), { attempt, search });
  const { value, error } = useOnce(load, `${job.name} ${attempt} ${search}`);
  return /* @__PURE__ */ a3($, { children: [
    error && /* @__PURE__ */ a3(Trouble, { error }),
    /* @__PURE__ */ a3("p", { class: "nothing quiet", "aria-live": "polite", children: [
      !value && !error && "Searching \u2026",
      value && `${plural(value.lines.length, "line")} of ${value.read.toLocaleString("en")} ${value.lines.length === 1 ? "has" : "have"} \u201C${search}\u201D` + (value.is_whole ? "." : "; earlier lines were not searched.")
    ] }),
    value && value.lines.length > 0 && /* @__PURE__ */ a3(Lines, { lines: value.lines, label: `Lines with ${search}`, search, now })
  ] });
}
function Lines(props) {
  const { lines, label, search, now } = props;
  const box = T2(null);
  const [isAtEnd, setIsAtEnd] = d2(true);
  F2(() => {
    if (box.current && isAtEnd) box.current.scrollTop = box.current.scrollHeight;
  });
  const several = (of) => new Set(lines.map((line) => line[of])).size > 1;
  const [hasHosts, hasAttempts] = [several("host"), several("attempt")];
  return /* @__PURE__ */ a3("div", { class: "log-box", children: [
    /* @__PURE__ */ a3(
      "div",
      {
        class: "log",
        ref: box,
        role: "log",
        "aria-live": "off",
        "aria-label": label,
        tabIndex: 0,
        onScroll: ({ currentTarget: it }) => setIsAtEnd(it.scrollTop + it.clientHeight >= it.scrollHeight - 8),
        children: lines.map((line, index) => /* @__PURE__ */ a3("div", { children: [
          hasAttempts && line.attempt !== lines[index - 1]?.attempt && /* @__PURE__ */ a3("div", { class: "log-attempt", children: line.attempt }),
          /* @__PURE__ */ a3("time", { children: clock(line.at, now) }),
          hasHosts && /* @__PURE__ */ a3("span", { class: "quiet", children: [
            line.host,
            " "
          ] }),
          parted(line.text, search).map((part, number) => number % 2 ? /* @__PURE__ */ a3("mark", { children: part }, number) : part)
        ] }, `${line.attempt} ${line.at} ${index}`))
      }
    ),
    !isAtEnd && /* @__PURE__ */ a3("button", { type: "button", class: "to-end", onClick: () => setIsAtEnd(true), children: "Follow the end" })
  ] });
}

// src/title.ts
function useTitle(text) {
  A2(() => {
    if (text !== null) document.title = `${text} \u2013 SageQueue`;
  }, [text]);
}
function titleOf(route, queue) {
  if (route.view === "job") return null;
  const view = VIEWS[route.view];
  return queue ? `${view}: ${queue.live} running, ${queue.queued} waiting` : view;
}

// src/trials.ts
function objectivesOf({ trials, goal }) {
  const ended2 = trials.flatMap(
    ({ objective, ended_at }) => objective === null || !ended_at ? [] : [{ objective, at: Date.parse(ended_at) }]
  ).sort((one, other) => one.at - other.at);
  const objectives = ended2.map(({ objective }) => objective);
  const better = goal === "Minimize" ? Math.min : Math.max;
  let soFar = objectives[0] ?? 0;
  return {
    times: ended2.map(({ at }) => at),
    objectives,
    best: objectives.map((value) => {
      soFar = better(soFar, value);
      return soFar;
    })
  };
}
function objectiveSummary(metric, { objectives, best }) {
  const [least, most, found] = [Math.min(...objectives), Math.max(...objectives), best.at(-1) ?? 0].map(
    (value) => withUnit(value, "")
  );
  return `${metric} of ${objectives.length} trials: best ${found}, from ${least} to ${most}`;
}
function chosenText({ chosen: chosen2 }) {
  return Object.entries(chosen2).map(([name, value]) => `${name}=${value}`).sort().join(", ");
}

// src/trials_section.tsx
var EVERY2 = 6e4;
function TrialsSection({ job, now }) {
  const { value, error } = useOnce(
    () => read(ofJob(job.name, "trials")),
    `${job.name} ${job.state} ${job.attempts.at(-1)?.ended_at ? 0 : Math.floor(now / EVERY2)}`
  );
  const kept3 = T2(null);
  if (value) kept3.current = value;
  const shown = value ?? kept3.current;
  return /* @__PURE__ */ a3("section", { "aria-labelledby": "trials-title", children: [
    /* @__PURE__ */ a3("header", { class: "section-head", children: [
      /* @__PURE__ */ a3("h2", { id: "trials-title", children: "Trials" }),
      /* @__PURE__ */ a3("span", { class: "quiet", "aria-live": "polite", children: !shown && !error && "Loading from SageMaker \u2026" })
    ] }),
    error && /* @__PURE__ */ a3(Trouble, { error }),
    shown && /* @__PURE__ */ a3(TrialFacts, { found: shown, job }),
    shown && /* @__PURE__ */ a3(ObjectiveFigure, { found: shown }),
    shown && shown.trials.length > 0 && /* @__PURE__ */ a3(TrialTable, { found: shown, now })
  ] });
}
function TrialFacts({ found, job }) {
  const best = found.trials.find((trial) => trial.name === found.best);
  return /* @__PURE__ */ a3("dl", { class: "facts", children: [
    best && best.objective !== null && /* @__PURE__ */ a3(Fact, { name: "best so far", children: [
      found.metric,
      " ",
      withUnit(best.objective, ""),
      " ",
      /* @__PURE__ */ a3("span", { class: "quiet", children: chosenText(best) })
    ] }),
    found.remaining !== null && /* @__PURE__ */ a3(Fact, { name: "remaining", children: plural(found.remaining, "trial") }),
    job.tuning && /* @__PURE__ */ a3(Fact, { name: "at a time", children: job.tuning.parallel }),
    job.tuning && /* @__PURE__ */ a3(Fact, { name: "after a preemption", children: job.tuning.continues ? "continues by warm start" : "starts from nothing" })
  ] });
}
function ObjectiveFigure({ found }) {
  const chart = objectivesOf(found);
  if (!chart.times.length || !found.metric) return null;
  return /* @__PURE__ */ a3("div", { class: "charts", children: /* @__PURE__ */ a3("figure", { class: "chart-of", children: [
    /* @__PURE__ */ a3("figcaption", { children: [
      /* @__PURE__ */ a3("strong", { children: found.metric }),
      " ",
      /* @__PURE__ */ a3("span", { class: "quiet", children: "of each trial at its end, and the best so far" })
    ] }),
    /* @__PURE__ */ a3(
      Chart,
      {
        label: objectiveSummary(found.metric, chart),
        times: chart.times,
        lines: [
          { name: "trial", colour: "--launching", values: chart.objectives, isDots: true },
          { name: "best so far", colour: "--running", values: chart.best, isStepped: true }
        ],
        isFitted: true
      }
    )
  ] }) });
}
function TrialTable({ found, now }) {
  return /* @__PURE__ */ a3("details", { class: "numbers of-section", children: [
    /* @__PURE__ */ a3("summary", { children: "As a table" }),
    /* @__PURE__ */ a3("table", { class: "cards", children: [
      /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
        /* @__PURE__ */ a3("th", { scope: "col", children: "Trial" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Status" }),
        /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: found.metric || "Objective" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Ended" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Hyperparameters" })
      ] }) }),
      /* @__PURE__ */ a3("tbody", { children: found.trials.map((trial) => /* @__PURE__ */ a3("tr", { children: [
        /* @__PURE__ */ a3("th", { scope: "row", children: [
          trial.name,
          trial.name === found.best && " (best)"
        ] }),
        /* @__PURE__ */ a3("td", { children: trial.status }),
        /* @__PURE__ */ a3("td", { class: "number", "data-label": "objective", children: trial.objective === null ? "" : withUnit(trial.objective, "") }),
        /* @__PURE__ */ a3("td", { "data-label": "ended", children: trial.ended_at && clock(trial.ended_at, now) }),
        /* @__PURE__ */ a3("td", { class: "wraps", children: chosenText(trial) })
      ] }, trial.name)) })
    ] })
  ] });
}

// src/job_update.ts
function fieldsOf({ max_runtime, options }) {
  return {
    max_runtime: String(max_runtime),
    retries: options.retries === null ? "" : String(options.retries),
    not_before: options.not_before ?? "",
    expires: options.expires ?? "",
    deadline: options.deadline ?? "",
    never_preempt: options.never_preempt,
    idle_exempt: options.idle_exempt
  };
}
function changedFields(job, fields) {
  const before = fieldsOf(job);
  const { max_runtime, ...others } = fields;
  const options = {};
  for (const [name, value] of Object.entries(others)) {
    if (value === before[name]) continue;
    options[name] = value === "" ? null : name === "retries" ? Number(value) : value;
  }
  const update = {};
  if (max_runtime !== before.max_runtime) update.max_runtime = Number(max_runtime);
  if (Object.keys(options).length) update.options = options;
  return Object.keys(update).length ? update : null;
}

// src/update_dialog.tsx
var TIMES = [
  ["not_before", "Not before"],
  ["expires", "Expires"],
  ["deadline", "Deadline"]
];
var FLAGS = [
  ["never_preempt", "Never preempt"],
  ["idle_exempt", "GPUs may be idle"]
];
function UpdateDialog({ job, acting, onClose }) {
  const box = T2(null);
  const [asOpened] = d2(job);
  const [fields, setFields] = d2(() => fieldsOf(asOpened));
  const [refusal, setRefusal] = d2(null);
  const update = changedFields(asOpened, fields);
  A2(() => box.current?.showModal(), []);
  async function send() {
    try {
      await change(ofJob(job.name, "update"), update ?? {});
    } catch (cause) {
      setRefusal(refusalOf(cause));
      return;
    }
    acting.notes.tell(`${job.name} changed`);
    onClose();
    acting.look();
  }
  const set = (name, value) => setFields({ ...fields, [name]: value });
  return /* @__PURE__ */ a3("dialog", { ref: box, "aria-labelledby": "update-title", onClose, children: /* @__PURE__ */ a3(
    "form",
    {
      onSubmit: (event) => {
        event.preventDefault();
        void send();
      },
      children: [
        /* @__PURE__ */ a3("h2", { id: "update-title", children: [
          "Change ",
          job.name
        ] }),
        /* @__PURE__ */ a3("p", { children: /* @__PURE__ */ a3("label", { children: [
          "Time limit",
          " ",
          /* @__PURE__ */ a3(
            "input",
            {
              type: "number",
              min: 1,
              step: 1,
              required: true,
              value: fields.max_runtime,
              onInput: (event) => set("max_runtime", event.currentTarget.value)
            }
          ),
          " ",
          "s"
        ] }) }),
        /* @__PURE__ */ a3("p", { children: /* @__PURE__ */ a3("label", { children: [
          "Retries",
          " ",
          /* @__PURE__ */ a3(
            "input",
            {
              type: "number",
              min: 0,
              step: 1,
              placeholder: "default",
              value: fields.retries,
              onInput: (event) => set("retries", event.currentTarget.value)
            }
          )
        ] }) }),
        TIMES.map(([name, label]) => /* @__PURE__ */ a3("p", { children: /* @__PURE__ */ a3("label", { children: [
          label,
          " ",
          /* @__PURE__ */ a3(
            "input",
            {
              type: "text",
              placeholder: "2026-12-01T18:00Z, or none",
              value: fields[name],
              onInput: (event) => set(name, event.currentTarget.value)
            }
          )
        ] }) }, name)),
        FLAGS.map(([name, label]) => /* @__PURE__ */ a3("p", { children: /* @__PURE__ */ a3("label", { children: [
          /* @__PURE__ */ a3(
            "input",
            {
              type: "checkbox",
              checked: fields[name],
              onChange: (event) => set(name, event.currentTarget.checked)
            }
          ),
          " ",
          label
        ] }) }, name)),
        refusal && /* @__PURE__ */ a3(Trouble, { error: refusal }),
        /* @__PURE__ */ a3("div", { class: "answers", children: [
          /* @__PURE__ */ a3("button", { type: "button", onClick: () => box.current?.close(), children: "Keep" }),
          /* @__PURE__ */ a3("button", { type: "submit", class: "main", disabled: update === null, children: "Change job" })
        ] })
      ]
    }
  ) });
}

// src/job_view.tsx
var VERBS2 = ["top", "priority", "hold", "release", "requeue", "cancel"];
var ENDED2 = { failed: "Why it failed", stopped: "Why it was stopped", completed: "Result" };
function JobView({ name, acting }) {
  const now = useNow();
  const seen = usePolled(() => seeJob(name), name);
  const changing = {
    ...acting,
    look: () => {
      seen.look();
      acting.look();
    }
  };
  const { ask: ask2, dialog, busy } = useActing(changing);
  const [isChanging, setIsChanging] = d2(false);
  useTitle(seen.value ? `${name}: ${seen.value.job.state}` : name);
  if (!seen.value) return seen.error ? /* @__PURE__ */ a3(Trouble, { error: seen.error }) : /* @__PURE__ */ a3("p", { class: "empty", children: [
    "Loading ",
    name,
    " \u2026"
  ] });
  const { job, explanation } = seen.value;
  return /* @__PURE__ */ a3($, { children: [
    seen.error && /* @__PURE__ */ a3(Trouble, { error: seen.error }),
    /* @__PURE__ */ a3("header", { class: "job-head", children: [
      /* @__PURE__ */ a3("h1", { children: job.name }),
      /* @__PURE__ */ a3(StateMark, { job }),
      /* @__PURE__ */ a3("span", { class: "grow" }),
      maySubmit(acting.me) && /* @__PURE__ */ a3("a", { class: "link", href: linkToCopy(job.name), children: "Submit again\u2026" }),
      job.may_control && !ENDED2[job.state] && /* @__PURE__ */ a3("button", { type: "button", onClick: () => setIsChanging(true), children: "Change\u2026" }),
      /* @__PURE__ */ a3(
        ActionBar,
        {
          jobs: [job],
          me: acting.me,
          verbs: needsApproval(job) ? ["approve", ...VERBS2] : VERBS2,
          busy,
          onAct: ask2
        }
      )
    ] }),
    /* @__PURE__ */ a3("div", { class: "columns", children: [
      /* @__PURE__ */ a3("section", { "aria-labelledby": "why-title", children: [
        /* @__PURE__ */ a3("header", { class: "section-head", children: /* @__PURE__ */ a3("h2", { id: "why-title", children: ENDED2[job.state] ?? `Why it is ${job.state}` }) }),
        /* @__PURE__ */ a3(Why, { job, explanation, now })
      ] }),
      /* @__PURE__ */ a3("section", { "aria-labelledby": "facts-title", children: [
        /* @__PURE__ */ a3("header", { class: "section-head", children: /* @__PURE__ */ a3("h2", { id: "facts-title", children: "Request" }) }),
        /* @__PURE__ */ a3(Facts, { job, now })
      ] }),
      /* @__PURE__ */ a3(JobCosts, { job })
    ] }),
    job.choices.length > 0 && /* @__PURE__ */ a3(Alternatives, { job }),
    /* @__PURE__ */ a3(Lineage, { job, now }),
    job.attempts.length > 0 && (job.tuning ? /* @__PURE__ */ a3(TrialsSection, { job, now }, `trials ${job.name}`) : /* @__PURE__ */ a3(MetricsSection, { job, now }, `metrics ${job.name}`)),
    /* @__PURE__ */ a3(ComparisonSection, { job, now }, `compare ${job.name}`),
    /* @__PURE__ */ a3(Decisions, { actions: job.actions ?? [], now }),
    job.attempts.length > 0 && /* @__PURE__ */ a3(LogTail, { job, now }, job.name),
    job.request && /* @__PURE__ */ a3(Request2, { request: job.request }),
    dialog,
    isChanging && /* @__PURE__ */ a3(UpdateDialog, { job, acting: changing, onClose: () => setIsChanging(false) })
  ] });
}
async function seeJob(name) {
  const [job, explanation] = await Promise.all([read(ofJob(name)), read(ofJob(name, "why"))]);
  return { job, explanation };
}
function Why({ job, explanation, now }) {
  const parts = explanation.priority;
  const isWaiting = explanation.position !== null;
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("p", { class: "lead", children: isWaiting ? withNames(explanation.reason.message) : why(job, now) }),
    /* @__PURE__ */ a3("dl", { class: "facts", children: [
      explanation.position !== null && /* @__PURE__ */ a3(Fact, { name: "position", children: explanation.position }),
      explanation.waits_for.length > 0 && /* @__PURE__ */ a3(Fact, { name: "waits for", children: explanation.waits_for.map((other) => /* @__PURE__ */ a3("a", { class: "link", href: linkTo(other), children: [
        other,
        " "
      ] }, other)) }),
      explanation.starts && /* @__PURE__ */ a3(Fact, { name: "may start", children: start(explanation.starts, now) }),
      parts && /* @__PURE__ */ a3(Fact, { name: "priority factors", children: /* @__PURE__ */ a3("ol", { class: "parts", children: [
        /* @__PURE__ */ a3(Part, { holds: parts.is_reserved_for, children: "reserved: other jobs were stopped for it" }),
        /* @__PURE__ */ a3(Part, { holds: parts.is_long_waiting, children: "long-waiting: a share of the budget is reserved for it" }),
        /* @__PURE__ */ a3(Part, { holds: parts.is_below_quota, children: "its team is below its quota" }),
        /* @__PURE__ */ a3("li", { class: "holds", children: [
          "priority ",
          parts.priority
        ] }),
        parts.owner_weighted_seconds !== null && /* @__PURE__ */ a3("li", { children: [
          "its owner used ",
          (parts.owner_weighted_seconds / 3600).toFixed(1),
          " weighted hours recently; the owner with the least is next"
        ] }),
        parts.expected_run_time !== null && /* @__PURE__ */ a3("li", { children: [
          "expected to run ",
          span(parts.expected_run_time * 1e3),
          "; shorter jobs start first"
        ] }),
        /* @__PURE__ */ a3("li", { class: "holds", children: [
          "waiting for ",
          since(job.submitted_at, now)
        ] })
      ] }) })
    ] }),
    job.warnings.length > 0 && /* @__PURE__ */ a3(Warnings, { warnings: job.warnings })
  ] });
}
function Part({ holds, children }) {
  return /* @__PURE__ */ a3("li", { class: holds ? "holds" : "", children: [
    children,
    holds ? "" : ": no"
  ] });
}
function Warnings({ warnings }) {
  return /* @__PURE__ */ a3("ul", { class: "warnings", children: warnings.map((one) => /* @__PURE__ */ a3("li", { children: [
    /* @__PURE__ */ a3("strong", { children: one.rule }),
    " ",
    one.message,
    " ",
    /* @__PURE__ */ a3("span", { class: "quiet", children: one.remedy })
  ] }, one.rule + one.field)) });
}
function predecessors(job) {
  const { after_ok, after_any, after_not_ok } = job.options;
  const kinds2 = [
    [after_ok, "completed"],
    [after_any, "ended"],
    [after_not_ok, "failed or stopped"]
  ];
  return kinds2.filter(([names]) => names?.length).map(([names, ending]) => `${names.join(", ")} ${ending}`);
}
function Facts({ job, now }) {
  const [links, folder] = [linksOf(job.request), tensorBoardFolder(job.request)];
  return /* @__PURE__ */ a3("dl", { class: "facts", children: [
    /* @__PURE__ */ a3(Fact, { name: "priority", children: job.priority }),
    /* @__PURE__ */ a3(Fact, { name: "instances", children: instances(job) }),
    /* @__PURE__ */ a3(Fact, { name: "owner", children: [
      /* @__PURE__ */ a3("span", { title: job.owner, children: person(job.owner) }),
      job.team ? `, team ${job.team}${job.options.team === job.team ? " (chosen)" : ""}` : ""
    ] }),
    /* @__PURE__ */ a3(Fact, { name: "submitted", children: [
      clock(job.submitted_at, now),
      ", ",
      since(job.submitted_at, now),
      " ago"
    ] }),
    /* @__PURE__ */ a3(Fact, { name: "time limit", children: span(job.max_runtime * 1e3) }),
    /* @__PURE__ */ a3(Fact, { name: "checkpoints", children: checkpoints(job) }),
    saves(job, now) && /* @__PURE__ */ a3(Fact, { name: "saves", children: saves(job, now) }),
    job.preemptions > 0 && /* @__PURE__ */ a3(Fact, { name: "preempted", children: [
      job.preemptions,
      " \xD7"
    ] }),
    job.options.never_preempt && /* @__PURE__ */ a3(Fact, { name: "preemption", children: "never" }),
    predecessors(job).length > 0 && /* @__PURE__ */ a3(Fact, { name: "after", children: predecessors(job).join("; ") }),
    job.not_before && /* @__PURE__ */ a3(Fact, { name: "not before", children: clock(job.not_before, now) }),
    links.length > 0 && /* @__PURE__ */ a3(Fact, { name: "links", children: links.map((link) => /* @__PURE__ */ a3("a", { class: "link", href: link.address, target: "_blank", rel: "noopener noreferrer", children: [
      link.name,
      " "
    ] }, link.address)) }),
    folder && /* @__PURE__ */ a3(Fact, { name: "TensorBoard", children: /* @__PURE__ */ a3("code", { children: [
      "tensorboard --logdir ",
      folder
    ] }) })
  ] });
}
function checkpoints(job) {
  if (!job.has_checkpoints) return "none: a stopped attempt restarts from the beginning";
  const every = job.options.checkpoint_interval;
  return every ? `every ${span(every * 1e3)}` : "yes";
}
function Decisions({ actions, now }) {
  return /* @__PURE__ */ a3("section", { "aria-labelledby": "decisions-title", children: [
    /* @__PURE__ */ a3("header", { class: "section-head", children: /* @__PURE__ */ a3("h2", { id: "decisions-title", children: "Activity" }) }),
    actions.length ? /* @__PURE__ */ a3("table", { class: "cards", children: [
      /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
        /* @__PURE__ */ a3("th", { scope: "col", children: "When" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Action" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "By" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Why" })
      ] }) }),
      /* @__PURE__ */ a3("tbody", { children: [...actions].reverse().map((action) => /* @__PURE__ */ a3("tr", { children: [
        /* @__PURE__ */ a3("td", { class: "quiet", children: clock(action.at, now) }),
        /* @__PURE__ */ a3("td", { children: action.kind.replaceAll("_", " ") }),
        /* @__PURE__ */ a3("td", { "data-label": "by", title: action.by, children: person(action.by) }),
        /* @__PURE__ */ a3("td", { class: "wraps", children: action.message })
      ] }, action.at + action.kind)) })
    ] }) : /* @__PURE__ */ a3("p", { class: "nothing quiet", children: "None yet." })
  ] });
}
function Request2({ request }) {
  const [isOpen, setIsOpen] = d2(false);
  return /* @__PURE__ */ a3("section", { children: /* @__PURE__ */ a3("details", { class: "request", open: isOpen, onToggle: (event) => setIsOpen(event.currentTarget.open), children: [
    /* @__PURE__ */ a3("summary", { children: /* @__PURE__ */ a3("h2", { children: "Submitted request" }) }),
    isOpen && /* @__PURE__ */ a3("pre", { children: JSON.stringify(request, null, 2) })
  ] }) });
}

// src/text_block.tsx
function TextBlock({ label, children }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it groups no form fields
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards must reach what scrolls
    /* @__PURE__ */ a3("pre", { class: "text-block", tabIndex: 0, role: "group", "aria-label": label, children })
  );
}

// src/section_differences.tsx
function SectionDifferences({ differences: differences2 }) {
  return /* @__PURE__ */ a3($, { children: Object.entries(differences2).map(([kind, lines]) => /* @__PURE__ */ a3("div", { children: [
    /* @__PURE__ */ a3("h3", { children: kind }),
    /* @__PURE__ */ a3(TextBlock, { label: `Differences of ${kind}`, children: lines.map((line, index) => /* @__PURE__ */ a3(Line, { line }, `${index} ${line}`)) })
  ] }, kind)) });
}
function Line({ line }) {
  if (line.startsWith("+")) return /* @__PURE__ */ a3("ins", { children: `${line}
` });
  if (line.startsWith("-")) return /* @__PURE__ */ a3("del", { children: `${line}
` });
  return /* @__PURE__ */ a3($, { children: `${line}
` });
}

// src/config_plan.tsx
function PlannedChange({ plan }) {
  const now = useNow(1e4);
  return /* @__PURE__ */ a3("div", { class: "planned", children: [
    plan.warnings.map((warning) => /* @__PURE__ */ a3("p", { class: "nothing caution", children: warning }, warning)),
    /* @__PURE__ */ a3(SectionDifferences, { differences: plan.differences }),
    /* @__PURE__ */ a3("h3", { children: "Affected jobs" }),
    /* @__PURE__ */ a3(AffectedJobs, { plan }),
    /* @__PURE__ */ a3("h3", { children: "The next cycle" }),
    /* @__PURE__ */ a3(NextCycle, { plan }),
    plan.changed.includes("calendar") && /* @__PURE__ */ a3($, { children: [
      /* @__PURE__ */ a3("h3", { children: "Budgets from now on" }),
      /* @__PURE__ */ a3(Periods, { periods: plan.periods, now })
    ] }),
    plan.changed.includes("callers") && /* @__PURE__ */ a3("p", { class: "nothing", children: [
      "Your permissions would be ",
      plan.you.verbs.join(", ") || "to read only",
      ", by the entry ",
      plan.you.entry,
      "."
    ] })
  ] });
}
function AffectedJobs({ plan }) {
  const more = plan.left_out ? `; ${plan.left_out} more change` : "";
  const checked = `${plural(plan.checked, "waiting or running job")} checked${plan.complete ? "" : ", not all"}${more}`;
  if (!plan.jobs.length) return /* @__PURE__ */ a3("p", { class: "nothing quiet", children: [
    "No jobs affected: ",
    checked,
    "."
  ] });
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("p", { class: "nothing quiet", children: [
      "Rules and permissions judge these jobs differently: ",
      checked,
      "."
    ] }),
    /* @__PURE__ */ a3("table", { class: "cards", children: [
      /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
        /* @__PURE__ */ a3("th", { scope: "col", children: "Job" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "State" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Now" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Then" })
      ] }) }),
      /* @__PURE__ */ a3("tbody", { children: plan.jobs.map((job) => /* @__PURE__ */ a3(AffectedJob, { job }, job.name)) })
    ] })
  ] });
}
function AffectedJob({ job }) {
  return /* @__PURE__ */ a3("tr", { children: [
    /* @__PURE__ */ a3("th", { scope: "row", children: /* @__PURE__ */ a3("a", { href: linkTo(job.name), children: job.name }) }),
    /* @__PURE__ */ a3("td", { children: job.state }),
    /* @__PURE__ */ a3("td", { class: "wraps", children: /* @__PURE__ */ a3(VerdictText, { verdict: job.before }) }),
    /* @__PURE__ */ a3("td", { class: "wraps", children: /* @__PURE__ */ a3(VerdictText, { verdict: job.after }) })
  ] });
}
function VerdictText({ verdict }) {
  const { violations, warnings } = verdict;
  if (!violations.length && !warnings.length) return /* @__PURE__ */ a3($, { children: "allowed" });
  return /* @__PURE__ */ a3($, { children: [
    violations.length > 0 ? "refused" : "allowed, with warnings",
    /* @__PURE__ */ a3(Warnings, { warnings: [...violations, ...warnings] })
  ] });
}
function NextCycle({ plan }) {
  const changes = changedDecisions(plan.next_cycle);
  if (!changes.length) return /* @__PURE__ */ a3("p", { class: "nothing quiet", children: "It would decide the same." });
  return /* @__PURE__ */ a3("table", { class: "cards", children: [
    /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "col", children: "Job" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Now" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Then" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Why" })
    ] }) }),
    /* @__PURE__ */ a3("tbody", { children: changes.map(({ job, before, after }) => /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "row", children: /* @__PURE__ */ a3("a", { href: linkTo(job), children: job }) }),
      /* @__PURE__ */ a3("td", { children: decided(before) }),
      /* @__PURE__ */ a3("td", { children: decided(after) }),
      /* @__PURE__ */ a3("td", { class: "wraps", children: (after.length ? after : before).map((one) => one.reason).join("; ") })
    ] }, job)) })
  ] });
}

// src/config_schema.ts
function entriesOf(schema, kind) {
  const section = resolved(schema, schema.properties?.[kind] ?? {});
  if (section.items) return listEntries(schema, section.items, kind);
  const own = Object.entries(section.properties ?? {});
  const lists = own.filter(([, node]) => hasObjects(schema, node));
  const named2 = typeof section.additionalProperties === "object" ? section.additionalProperties : null;
  return [
    ...own.length ? [{ ...entry(schema, section, kind), template: "" }] : [],
    ...lists.flatMap(([name, node]) => listEntries(schema, node.items ?? {}, name)),
    ...named2 ? [namedEntry(schema, named2, kind)] : []
  ];
}
function listEntries(schema, items, list) {
  const kinds2 = (items.oneOf ?? [items]).map((one) => resolved(schema, one));
  return kinds2.map((node) => {
    const label = node.properties?.kind?.const ?? `entry of ${list}`;
    const one = entry(schema, node, label);
    return { ...one, template: asListItem(template(schema, node)) };
  });
}
function namedEntry(schema, node, kind) {
  const one = resolved(schema, node);
  const lines = template(schema, one).map((line) => `  ${line}`);
  return { ...entry(schema, one, `entry of ${kind}`), template: `name:
${lines.join("\n")}
` };
}
function entry(schema, node, label) {
  const fields = Object.entries(node.properties ?? {}).map(([name, member]) => ({
    name,
    values: values(schema, member),
    isRequired: (node.required ?? []).includes(name),
    usual: member.default === void 0 ? "" : String(member.default)
  }));
  return { label, description: node.description ?? "", fields };
}
function template(schema, node) {
  const required = [...node.required ?? [], ...node.anyOf?.[0]?.required ?? []];
  return Object.entries(node.properties ?? {}).filter(([name]) => required.includes(name)).map(([name, member]) => `${name}: ${example(schema, member)}`);
}
function asListItem(lines) {
  return `${lines.map((line, number) => number ? `  ${line}` : `- ${line}`).join("\n")}
`;
}
function example(schema, node) {
  const one = meant(schema, node);
  if (one.const) return one.const;
  if (one.examples?.[0]) return one.examples[0];
  if (one.enum?.[0]) return one.enum[0];
  if (one.type === "array") return "[]";
  if (one.type === "object") return "{}";
  if (one.type === "integer" || one.type === "number") return "1";
  return one.type === "boolean" ? "true" : "\u2026";
}
function values(schema, node) {
  const one = meant(schema, node);
  if (one.const) return one.const;
  if (one.enum) return one.enum.join(", ");
  if (one.type === "array") return one.items ? `a list: ${values(schema, one.items)}` : "a list";
  if (one.type === "object") {
    const names = Object.keys(one.properties ?? {});
    return names.length ? names.join(", ") : "values by name";
  }
  const examples = one.examples?.length ? `, such as ${one.examples.join(", ")}` : "";
  return `${one.type === "string" ? "a text" : one.type ?? "any value"}${examples}`;
}
function meant(schema, node) {
  const some = node.anyOf?.find((one) => one.type !== "null") ?? node;
  return resolved(schema, some);
}
function resolved(schema, node) {
  const name = node.$ref?.replace("#/$defs/", "");
  return name === void 0 ? node : { ...schema.$defs?.[name] ?? {}, ...node };
}
function hasObjects(schema, node) {
  const items = node.items && resolved(schema, node.items);
  return Boolean(items?.oneOf || items?.properties);
}

// src/schema_help.tsx
function SchemaHelp({ kind, onInsert }) {
  const [isOpen, setOpen] = d2(false);
  const [chosen2, setChosen] = d2(0);
  const schema = useSchema(isOpen);
  const entries = schema ? entriesOf(schema, kind) : [];
  const entry2 = entries[chosen2];
  return /* @__PURE__ */ a3("details", { class: "request schema", open: isOpen, onToggle: (event) => setOpen(event.currentTarget.open), children: [
    /* @__PURE__ */ a3("summary", { children: [
      "Fields of ",
      kind
    ] }),
    entry2 && /* @__PURE__ */ a3($, { children: [
      /* @__PURE__ */ a3("div", { class: "section-head", children: [
        /* @__PURE__ */ a3("label", { children: [
          "Fields of",
          " ",
          /* @__PURE__ */ a3("select", { value: chosen2, onChange: (event) => setChosen(Number(event.currentTarget.value)), children: entries.map((one, index) => /* @__PURE__ */ a3("option", { value: index, children: one.label }, one.label)) })
        ] }),
        entry2.template && /* @__PURE__ */ a3("button", { type: "button", onClick: () => onInsert(entry2.template), children: "Insert at the cursor" }),
        /* @__PURE__ */ a3("span", { class: "quiet", children: entry2.description })
      ] }),
      /* @__PURE__ */ a3(Fields, { entry: entry2 })
    ] })
  ] });
}
function Fields({ entry: entry2 }) {
  return /* @__PURE__ */ a3("table", { class: "cards", children: [
    /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "col", children: "Field" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Values" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Default" })
    ] }) }),
    /* @__PURE__ */ a3("tbody", { children: entry2.fields.map(({ name, values: values2, isRequired, usual }) => /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "row", children: name }),
      /* @__PURE__ */ a3("td", { class: "wraps", children: values2 }),
      /* @__PURE__ */ a3("td", { class: "quiet", children: isRequired ? "required" : usual })
    ] }, name)) })
  ] });
}
function useSchema(isWanted) {
  const [schema, setSchema] = d2(null);
  A2(() => {
    if (isWanted && !schema) read("config/schema").then(setSchema, () => {
    });
  }, [isWanted]);
  return schema;
}

// src/text_field.tsx
var LINE = 18;
var MARGIN = 3;
function TextField({ label, text, problems, onText }) {
  const frame = T2(null);
  const area = T2(null);
  const lines = w2(() => text.split("\n"), [text]);
  const numbers = w2(() => lines.map((_4, index) => index + 1).join("\n"), [lines.length]);
  const widest = w2(() => lines.reduce((most, line) => Math.max(most, line.length), 0), [lines]);
  A2(() => area.current?.focus({ preventScroll: true }), []);
  A2(() => frame.current?.scrollIntoView({ block: "nearest" }), []);
  function goTo(line) {
    const start2 = lines.slice(0, line - 1).reduce((sum2, one) => sum2 + one.length + 1, 0);
    area.current?.focus();
    area.current?.setSelectionRange(start2, start2 + (lines[line - 1]?.length ?? 0));
    if (frame.current) frame.current.scrollTop = (line - 1 - MARGIN) * LINE;
  }
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("div", { class: "text-field", ref: frame, children: [
      /* @__PURE__ */ a3("pre", { "aria-hidden": "true", children: numbers }),
      /* @__PURE__ */ a3("div", { children: [
        /* @__PURE__ */ a3(
          "textarea",
          {
            ref: area,
            "aria-label": label,
            "aria-invalid": problems.length > 0,
            "aria-describedby": "text-problems",
            wrap: "off",
            spellcheck: false,
            autocomplete: "off",
            rows: lines.length,
            cols: widest + 1,
            value: text,
            onInput: (event) => onText(event.currentTarget.value)
          }
        ),
        atLines(problems).map(([line, message]) => /* @__PURE__ */ a3("div", { class: "at-line", "aria-hidden": "true", style: { top: `${(line - 1) * LINE}px` }, children: [
          /* @__PURE__ */ a3("span", { children: lines[line - 1] }),
          /* @__PURE__ */ a3("strong", { children: message })
        ] }, line))
      ] })
    ] }),
    /* @__PURE__ */ a3("div", { id: "text-problems", role: "alert", children: problems.length > 0 && /* @__PURE__ */ a3(ProblemList, { problems, onLine: goTo }) })
  ] });
}
function ProblemList({ problems, onLine }) {
  return /* @__PURE__ */ a3("ul", { class: "problems", children: problems.map(({ line, field, message }) => /* @__PURE__ */ a3("li", { children: [
    line !== null && /* @__PURE__ */ a3("button", { type: "button", class: "plain link", onClick: () => onLine(line), children: [
      "Line ",
      line
    ] }),
    " ",
    field && /* @__PURE__ */ a3("strong", { children: field }),
    " ",
    message
  ] }, `${line} ${field} ${message}`)) });
}
function insertInto(label, text) {
  document.querySelector(`textarea[aria-label="${CSS.escape(label)}"]`)?.focus();
  document.execCommand("insertText", false, text);
}
function atLines(problems) {
  const texts = /* @__PURE__ */ new Map();
  for (const { line, message } of problems) {
    if (line === null) continue;
    const before = texts.get(line);
    texts.set(line, before ? `${before}; ${message}` : message);
  }
  return [...texts];
}

// src/config_editor.tsx
var LONGEST_COMMENT = 500;
function ConfigEditor({ kind, text, acting, onText, onClose, ...props }) {
  const [comment, setComment] = d2("");
  const draft = useDraft(kind, text);
  const what = kind === FILE ? "the configuration" : kind;
  const label = `Text of ${what}`;
  async function apply() {
    const objection = againstApply(draft.plan);
    if (objection) return acting.notes.tell(objection);
    const applied = await draft.apply(comment);
    if (!applied) return;
    acting.notes.tell(`Applied version ${applied.version} of the configuration`);
    acting.look();
    onClose();
  }
  return /* @__PURE__ */ a3("section", { "aria-labelledby": "editor-title", children: [
    /* @__PURE__ */ a3(
      "form",
      {
        onSubmit: (event) => {
          event.preventDefault();
          void draft.makePlan();
        },
        children: [
          /* @__PURE__ */ a3("header", { class: "section-head", children: [
            /* @__PURE__ */ a3("h2", { id: "editor-title", children: [
              "Edit ",
              what
            ] }),
            /* @__PURE__ */ a3("span", { class: "quiet", children: [
              "YAML or JSON. ",
              kind === FILE && "A section that you leave out stays as it is."
            ] }),
            props.inForce !== props.version && /* @__PURE__ */ a3("span", { class: "caution", children: [
              "Version ",
              props.inForce,
              " is in force; this text began as version ",
              props.version,
              "."
            ] })
          ] }),
          /* @__PURE__ */ a3(TextField, { label, text, problems: draft.refusal?.problems ?? [], onText }),
          kind !== FILE && /* @__PURE__ */ a3(SchemaHelp, { kind, onInsert: (template2) => insertInto(label, template2) }),
          /* @__PURE__ */ a3("div", { class: "section-head", children: [
            /* @__PURE__ */ a3("button", { type: "submit", class: draft.plan ? "" : "main", "aria-disabled": draft.isBusy, children: "Plan" }),
            /* @__PURE__ */ a3(
              "input",
              {
                type: "text",
                "aria-label": "Comment",
                placeholder: "Comment: why this change?",
                maxLength: LONGEST_COMMENT,
                value: comment,
                onInput: (event) => setComment(event.currentTarget.value)
              }
            ),
            /* @__PURE__ */ a3(ApplyButton, { draft, onApply: () => void apply() }),
            /* @__PURE__ */ a3("span", { class: "quiet", role: "status", children: draft.isBusy ? "Waiting for the queue \u2026" : summary(draft) }),
            /* @__PURE__ */ a3("span", { class: "grow" }),
            /* @__PURE__ */ a3("button", { type: "button", onClick: onClose, children: "Discard" })
          ] })
        ]
      }
    ),
    draft.refusal && /* @__PURE__ */ a3(Refused, { refusal: draft.refusal, onPlan: () => void draft.makePlan() }),
    draft.plan && /* @__PURE__ */ a3(PlannedChange, { plan: draft.plan })
  ] });
}
function ApplyButton({ draft, onApply }) {
  const objection = againstApply(draft.plan);
  return /* @__PURE__ */ a3(
    "button",
    {
      type: "button",
      class: objection ? "" : "main",
      "aria-disabled": Boolean(objection) || draft.isBusy,
      title: objection ?? "Apply exactly what was planned.",
      onClick: onApply,
      children: [
        "Apply",
        objection && /* @__PURE__ */ a3("span", { class: "unseen", children: [
          " ",
          objection
        ] })
      ]
    }
  );
}
function againstApply(plan) {
  if (!plan) return "Plan the change first.";
  return plan.changed.length ? null : "The text changes nothing.";
}
function summary({ plan }) {
  if (!plan) return "";
  if (!plan.changed.length) return "The text changes nothing.";
  return `Changes ${plan.changed.join(", ")}; ${plural(plan.jobs.length + plan.left_out, "job")} affected.`;
}
function Refused({ refusal, onPlan }) {
  if (refusal.problems.length) return null;
  if (refusal.code !== STALE) return /* @__PURE__ */ a3(Trouble, { error: refusal });
  return /* @__PURE__ */ a3("p", { class: "trouble", role: "alert", children: [
    /* @__PURE__ */ a3("strong", { children: [
      refusal.message,
      "."
    ] }),
    " Your text is still here.",
    " ",
    /* @__PURE__ */ a3("button", { type: "button", onClick: onPlan, children: "Plan again" })
  ] });
}

// src/differences.ts
function useDifferences(from, to) {
  const [differences2, setDifferences] = d2(null);
  const [error, setError] = d2(null);
  A2(() => {
    let isOver = false;
    setDifferences(null);
    setError(null);
    read("config/difference", { from: String(from), to: String(to) }).then(
      (found) => isOver || setDifferences(found.differences),
      (cause) => isOver || setError(refusalOf(cause))
    );
    return () => {
      isOver = true;
    };
  }, [from, to]);
  return { differences: differences2, error };
}

// src/rollback_dialog.tsx
function RollbackDialog({ version, newest, acting, onClose }) {
  const box = T2(null);
  const [comment, setComment] = d2("");
  const { differences: differences2, error } = useDifferences(newest, version);
  A2(() => box.current?.showModal(), []);
  async function rollBack() {
    const query2 = { version: String(version), replaces: String(newest), comment };
    try {
      const applied = await change("config/rollback", void 0, query2);
      acting.notes.tell(`Applied version ${version} again, as version ${applied.version}`);
    } catch (cause) {
      acting.notes.refuse(`Rollback to version ${version}`, cause);
    }
    onClose();
    acting.look();
  }
  return /* @__PURE__ */ a3("dialog", { ref: box, "aria-labelledby": "rollback-title", onClose, children: /* @__PURE__ */ a3(
    "form",
    {
      onSubmit: (event) => {
        event.preventDefault();
        void rollBack();
      },
      children: [
        /* @__PURE__ */ a3("h2", { id: "rollback-title", children: [
          "Roll back to version ",
          version,
          "?"
        ] }),
        /* @__PURE__ */ a3("p", { role: "status", children: differences2 ? consequence2(Object.keys(differences2)) : !error && "Loading \u2026" }),
        error && /* @__PURE__ */ a3(Trouble, { error }),
        /* @__PURE__ */ a3(
          "input",
          {
            type: "text",
            "aria-label": "Comment",
            placeholder: "Comment: why this change?",
            maxLength: 500,
            value: comment,
            onInput: (event) => setComment(event.currentTarget.value)
          }
        ),
        /* @__PURE__ */ a3("div", { class: "answers", children: [
          /* @__PURE__ */ a3("button", { type: "button", onClick: () => box.current?.close(), children: [
            "Keep version ",
            newest
          ] }),
          /* @__PURE__ */ a3("button", { type: "submit", class: "grave", children: "Roll back" })
        ] })
      ]
    }
  ) });
}
function consequence2(kinds2) {
  return kinds2.length ? `These sections will change: ${kinds2.join(", ")}.` : "No section will change: the two versions are identical.";
}

// src/config_versions.tsx
function ConfigVersionList({ inForce: inForce2, acting, now }) {
  const { versions, next, error, loadMore } = useVersions();
  const [wanted, setWanted] = d2(null);
  function askFor(version) {
    const objection = againstChange(FILE, acting.me);
    if (objection) acting.notes.tell(objection);
    else setWanted(version);
  }
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("section", { "aria-labelledby": "versions-title", children: [
      /* @__PURE__ */ a3("header", { class: "section-head", children: [
        /* @__PURE__ */ a3("h2", { id: "versions-title", children: "Versions" }),
        /* @__PURE__ */ a3("span", { class: "quiet", children: "A rollback applies an older one again, as a new version." })
      ] }),
      error && /* @__PURE__ */ a3(Trouble, { error }),
      !versions?.length ? /* @__PURE__ */ a3("p", { class: "nothing quiet", children: versions ? "None." : "Loading \u2026" }) : /* @__PURE__ */ a3(VersionTable, { versions, inForce: inForce2, acting, now, onRollback: askFor }),
      next && /* @__PURE__ */ a3("div", { class: "section-head", children: /* @__PURE__ */ a3("button", { type: "button", onClick: loadMore, children: "Older versions" }) })
    ] }),
    versions && versions.length > 1 && /* @__PURE__ */ a3(Comparison, { versions }),
    wanted !== null && /* @__PURE__ */ a3(
      RollbackDialog,
      {
        version: wanted,
        newest: versions?.[0]?.version ?? inForce2,
        acting,
        onClose: () => setWanted(null)
      }
    )
  ] });
}
function useVersions() {
  const [versions, setVersions] = d2(null);
  const [next, setNext] = d2(null);
  const [error, setError] = d2(null);
  async function load(token) {
    try {
      const page = await read("config/versions", { next: token });
      setVersions((before) => [...before ?? [], ...page.versions]);
      setNext(page.next);
      setError(null);
    } catch (cause) {
      setError(refusalOf(cause));
    }
  }
  A2(() => void load(null), []);
  return { versions, next, error, loadMore: () => void load(next) };
}
function VersionTable(props) {
  const objection = againstChange(FILE, props.acting.me);
  return /* @__PURE__ */ a3("table", { class: "cards", children: [
    /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "col", children: "Version" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Applied" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "By" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Changed" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Comment" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: /* @__PURE__ */ a3("span", { class: "unseen", children: "Rollback" }) })
    ] }) }),
    /* @__PURE__ */ a3("tbody", { children: props.versions.map((one) => /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "row", children: one.version }),
      /* @__PURE__ */ a3("td", { class: "quiet", children: one.applied_at && clock(one.applied_at, props.now) }),
      /* @__PURE__ */ a3("td", { "data-label": "by", title: one.author ?? "", children: person(one.author ?? "") }),
      /* @__PURE__ */ a3("td", { class: "wraps", children: one.changed.join(", ") }),
      /* @__PURE__ */ a3("td", { class: "wraps", children: one.comment }),
      /* @__PURE__ */ a3("td", { class: "number", children: one.version === props.inForce ? /* @__PURE__ */ a3("span", { class: "quiet", children: "in force" }) : !mayConfigure(props.acting.me) ? null : /* @__PURE__ */ a3(
        "button",
        {
          type: "button",
          "aria-disabled": Boolean(objection),
          title: objection ?? `Apply version ${one.version} again`,
          onClick: () => props.onRollback(one.version),
          children: [
            "Roll back",
            /* @__PURE__ */ a3("span", { class: "unseen", children: [
              " to version ",
              one.version
            ] }),
            "\u2026"
          ]
        }
      ) })
    ] }, one.version)) })
  ] });
}
function Comparison({ versions }) {
  const [newest, second] = versions.map((one) => one.version);
  const [from, setFrom] = d2(second ?? 0);
  const [to, setTo] = d2(newest ?? 0);
  const { differences: differences2, error } = useDifferences(from, to);
  const numbers = versions.map((one) => one.version);
  return /* @__PURE__ */ a3("section", { "aria-labelledby": "difference-title", children: [
    /* @__PURE__ */ a3("header", { class: "section-head", children: [
      /* @__PURE__ */ a3("h2", { id: "difference-title", children: "Differences" }),
      /* @__PURE__ */ a3(VersionChoice, { label: "from version", chosen: from, numbers, onChoice: setFrom }),
      /* @__PURE__ */ a3(VersionChoice, { label: "to version", chosen: to, numbers, onChoice: setTo }),
      /* @__PURE__ */ a3("span", { class: "quiet", role: "status", children: [
        !differences2 && !error && "Loading \u2026",
        differences2 && !Object.keys(differences2).length && "They have the same sections."
      ] })
    ] }),
    error && /* @__PURE__ */ a3(Trouble, { error }),
    differences2 && /* @__PURE__ */ a3("div", { class: "planned", children: /* @__PURE__ */ a3(SectionDifferences, { differences: differences2 }) })
  ] });
}
function VersionChoice(props) {
  return /* @__PURE__ */ a3("label", { children: [
    props.label,
    " ",
    /* @__PURE__ */ a3("select", { value: props.chosen, onChange: (event) => props.onChoice(Number(event.currentTarget.value)), children: props.numbers.map((number) => /* @__PURE__ */ a3("option", { value: number, children: number }, number)) })
  ] });
}

// src/config_view.tsx
var LATEST2 = 6e4;
var kept = null;
function ConfigView({ kind, acting }) {
  const now = useNow(1e4);
  const config = usePolled(() => read("config"), "config", LATEST2);
  const budget = usePolled(() => read("budget"), "budget", LATEST2);
  const [edited, change3] = d2(kept);
  if (!config.value && !config.error) return /* @__PURE__ */ a3("p", { class: "empty", children: "Loading \u2026" });
  const { version, text: file, texts } = config.value ?? { version: 0, text: "", texts: {} };
  function setEdited(next) {
    kept = next;
    change3(next);
  }
  function edit(kind2) {
    const objection = againstChange(kind2, acting.me) ?? againstLoss(edited);
    const original = kind2 === FILE ? file : texts[kind2] ?? "";
    if (objection) acting.notes.tell(objection);
    else setEdited({ kind: kind2, text: original, original, version });
  }
  function look() {
    config.look();
    acting.look();
  }
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("h1", { class: "unseen", children: "Configuration" }),
    config.error && /* @__PURE__ */ a3(Trouble, { error: config.error }),
    /* @__PURE__ */ a3("section", { "aria-labelledby": "config-title", children: /* @__PURE__ */ a3("header", { class: "section-head", children: [
      /* @__PURE__ */ a3("h2", { id: "config-title", children: "In force" }),
      /* @__PURE__ */ a3("span", { class: "quiet", children: config.value ? inForce(config.value, now) : "It cannot be read." }),
      /* @__PURE__ */ a3("span", { class: "grow" }),
      /* @__PURE__ */ a3(EditButton, { kind: FILE, me: acting.me, onEdit: edit })
    ] }) }),
    edited && /* @__PURE__ */ a3(
      ConfigEditor,
      {
        ...edited,
        inForce: version,
        acting: { ...acting, look },
        onText: (text) => setEdited({ ...edited, text }),
        onClose: () => setEdited(null)
      },
      `${edited.kind} ${edited.version}`
    ),
    /* @__PURE__ */ a3("div", { class: "columns sections", children: Object.entries(texts).map(([one, text]) => /* @__PURE__ */ a3(
      Section,
      {
        kind: one,
        text,
        isNamed: one === kind,
        button: /* @__PURE__ */ a3(EditButton, { kind: one, me: acting.me, onEdit: edit }),
        children: one === "calendar" && budget.value && /* @__PURE__ */ a3(WeekStrip, { periods: budget.value.periods, now })
      },
      one
    )) }),
    /* @__PURE__ */ a3(ConfigVersionList, { inForce: version, acting: { ...acting, look }, now }, version)
  ] });
}
function againstLoss(edited) {
  if (!edited || edited.text === edited.original) return null;
  return `Apply or discard your change to ${edited.kind === FILE ? "the configuration" : edited.kind} first.`;
}
function inForce(config, now) {
  if (!config.version) return "Defaults only: no operator has applied a configuration.";
  const author = config.author && `, by ${person(config.author)}`;
  const at = config.applied_at && ` at ${clock(config.applied_at, now)}`;
  return `version ${config.version}${author ?? ""}${at ?? ""}${config.comment && `: ${config.comment}`}`;
}
function EditButton(props) {
  const objection = againstChange(props.kind, props.me);
  if (!mayConfigure(props.me)) return null;
  const label = props.kind === FILE ? "Edit as a file" : "Edit";
  return /* @__PURE__ */ a3(
    "button",
    {
      type: "button",
      "aria-disabled": Boolean(objection),
      title: objection ?? "Nothing changes until you apply it.",
      onClick: () => props.onEdit(props.kind),
      children: [
        label,
        /* @__PURE__ */ a3("span", { class: "unseen", children: [
          " ",
          props.kind,
          " ",
          objection
        ] })
      ]
    }
  );
}
function Section(props) {
  const box = T2(null);
  const title = `section-${props.kind}`;
  A2(() => {
    if (props.isNamed) box.current?.scrollIntoView();
  }, [props.isNamed]);
  return /* @__PURE__ */ a3("section", { ref: box, "aria-labelledby": title, children: [
    /* @__PURE__ */ a3("header", { class: "section-head", children: [
      /* @__PURE__ */ a3("h2", { id: title, children: props.kind }),
      /* @__PURE__ */ a3("span", { class: "grow" }),
      props.button
    ] }),
    props.children,
    /* @__PURE__ */ a3(TextBlock, { label: `Section ${props.kind}`, children: props.text })
  ] });
}

// src/section_link.tsx
function SectionLink({ kind }) {
  return /* @__PURE__ */ a3("a", { class: "link", href: linkToSection(kind), children: "the configuration" });
}

// src/guardrails_view.tsx
function GuardrailsView() {
  const now = useNow(1e4);
  const findings = usePolled(() => read("findings"), "findings");
  const parked = usePolled(() => read("jobs", { state: "parked" }), "parked");
  const errors = [findings.error, parked.error].filter((error) => error !== null);
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("h1", { class: "unseen", children: "Guardrails" }),
    errors[0] && /* @__PURE__ */ a3(Trouble, { error: errors[0] }),
    /* @__PURE__ */ a3("section", { "aria-labelledby": "parked-title", children: [
      /* @__PURE__ */ a3("header", { class: "section-head", children: [
        /* @__PURE__ */ a3("h2", { id: "parked-title", children: "Parked" }),
        /* @__PURE__ */ a3("span", { class: "quiet", children: [
          "Jobs that cannot start without a change. The rules are in ",
          /* @__PURE__ */ a3(SectionLink, { kind: "rules" }),
          "."
        ] })
      ] }),
      parked.value ? /* @__PURE__ */ a3(Parked, { jobs: parked.value.jobs, now }) : /* @__PURE__ */ a3("p", { class: "empty", children: "Loading \u2026" })
    ] }),
    /* @__PURE__ */ a3("section", { "aria-labelledby": "findings-title", children: [
      /* @__PURE__ */ a3("header", { class: "section-head", children: [
        /* @__PURE__ */ a3("h2", { id: "findings-title", children: "Started outside the queue" }),
        /* @__PURE__ */ a3("span", { class: "quiet", children: "Jobs that break a rule; kept for 180 days." })
      ] }),
      findings.value ? /* @__PURE__ */ a3(Findings, { findings: findings.value.findings, now }) : /* @__PURE__ */ a3("p", { class: "empty", children: "Loading \u2026" })
    ] })
  ] });
}
function Parked({ jobs, now }) {
  if (!jobs.length) return /* @__PURE__ */ a3("p", { class: "nothing quiet", children: "None." });
  return /* @__PURE__ */ a3("table", { class: "cards", children: [
    /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "col", children: "Job" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Owner" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Age" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Why" })
    ] }) }),
    /* @__PURE__ */ a3("tbody", { children: jobs.map((job) => /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "row", children: /* @__PURE__ */ a3("a", { href: linkTo(job.name), children: job.name }) }),
      /* @__PURE__ */ a3("td", { title: job.owner, children: person(job.owner) }),
      /* @__PURE__ */ a3("td", { class: "number", "data-label": "age", children: since(job.submitted_at, now) }),
      /* @__PURE__ */ a3("td", { class: "wraps", children: why(job, now) })
    ] }, job.name)) })
  ] });
}
function Findings({ findings, now }) {
  if (!findings.length) return /* @__PURE__ */ a3("p", { class: "nothing quiet", children: "None." });
  return /* @__PURE__ */ a3("table", { class: "cards", children: [
    /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "col", children: "Training job" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Created" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Reaction" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Broken rules" })
    ] }) }),
    /* @__PURE__ */ a3("tbody", { children: findings.map((finding) => /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "row", children: finding.name }),
      /* @__PURE__ */ a3("td", { class: "quiet", children: clock(finding.created_at, now) }),
      /* @__PURE__ */ a3("td", { children: finding.stopped ? "stopped" : "reported" }),
      /* @__PURE__ */ a3("td", { class: "wraps", children: /* @__PURE__ */ a3(Warnings, { warnings: finding.violations }) })
    ] }, finding.created_at + finding.name)) })
  ] });
}

// src/ended_jobs.tsx
var SHOWN2 = 100;
function EndedJobs({ jobs, now }) {
  if (!jobs.length) return null;
  return /* @__PURE__ */ a3("section", { "aria-labelledby": "ended-title", children: [
    /* @__PURE__ */ a3("header", { class: "section-head", children: /* @__PURE__ */ a3("h2", { id: "ended-title", children: "Recently ended jobs" }) }),
    /* @__PURE__ */ a3("table", { class: "cards wide", children: [
      /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
        /* @__PURE__ */ a3("th", { scope: "col", children: "Job" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Result" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Ended" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Owner" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Instances" }),
        /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Attempts" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Why" })
      ] }) }),
      /* @__PURE__ */ a3("tbody", { children: jobs.slice(0, SHOWN2).map((job) => /* @__PURE__ */ a3("tr", { children: [
        /* @__PURE__ */ a3("th", { scope: "row", children: /* @__PURE__ */ a3("a", { href: linkTo(job.name), children: job.name }) }),
        /* @__PURE__ */ a3("td", { children: /* @__PURE__ */ a3("span", { class: `state ${job.state}`, children: job.state }) }),
        /* @__PURE__ */ a3("td", { class: "quiet", children: clock(job.updated_at, now) }),
        /* @__PURE__ */ a3("td", { title: job.owner, children: person(job.owner) }),
        /* @__PURE__ */ a3("td", { children: instances(job) }),
        /* @__PURE__ */ a3("td", { class: "number", "data-label": "attempts", children: job.earlier_attempts + job.attempts.length }),
        /* @__PURE__ */ a3("td", { class: "wraps", children: why(job, now) })
      ] }, job.name)) })
    ] })
  ] });
}

// src/usage.ts
function edges(usage2) {
  const begin = Date.parse(usage2.begin);
  return Array.from({ length: usage2.steps + 1 }, (_4, index) => begin + index * usage2.step_seconds * 1e3);
}
function free(group) {
  return group.limit?.map((limit, index) => Math.max(0, limit - (group.held[index] ?? 0))) ?? null;
}
function rowsOf(usage2, group, rows) {
  const each = Math.ceil(usage2.steps / rows);
  const begins = edges(usage2);
  const unused = free(group);
  const found = [];
  for (let first = 0; first < usage2.steps; first += each) {
    const part = (values2) => mean(values2.slice(first, first + each));
    found.push({
      begin: begins[first] ?? 0,
      held: part(group.held),
      waiting: part(group.waiting),
      free: unused && part(unused)
    });
  }
  return found;
}
function summary2(group) {
  const unused = free(group);
  const parts = [levels("held", group.held), levels("waiting", group.waiting), unused && levels("free", unused)];
  return `${group.name}: ${parts.filter(Boolean).join("; ")}`;
}
function marksOf(usage2, group) {
  return usage2.marks.filter((mark) => group.limit === void 0 || group.name in mark.instances);
}
function said(mark) {
  if (mark.kind === "preemption") {
    return mark.by ? `${mark.job} was preempted for ${mark.by}` : `${mark.job} was preempted to meet the budget`;
  }
  return `${told(mark.instances)}, by ${person(mark.by ?? "")}`;
}
function valuesAt(usage2, group, step, now) {
  const unused = free(group);
  const parts = [`held ${short(group.held[step])}`, `waiting ${short(group.waiting[step])}`];
  if (unused) parts.push(`free ${short(unused[step])}`);
  return `${clock(edges(usage2)[step] ?? 0, now)}: ${parts.join(", ")}`;
}
function short(value) {
  return (Math.round((value ?? 0) * 10) / 10).toLocaleString("en");
}
function levels(name, values2) {
  return `${name} ${short(mean(values2))} on average, ${short(Math.max(0, ...values2))} at most`;
}
function mean(values2) {
  return values2.length ? values2.reduce((sum2, value) => sum2 + value, 0) / values2.length : 0;
}

// src/usage_charts.tsx
var DAYS2 = { "1": "24 hours", "7": "7 days" };
var BY = { type: "instance type", team: "team" };
var ROWS = 12;
var LISTED = 20;
var COLOURS = { preemption: "--preempted", budget: "--held" };
function UsageCharts({ now, looks }) {
  const [query2, setQuery] = useQuery();
  const days2 = oneOf(DAYS2, query2.get("days"));
  const by = oneOf(BY, query2.get("over"));
  const { value: usage2, error } = useOnce(() => read("usage", { days: days2, by }), `${days2} ${by} ${looks}`);
  return /* @__PURE__ */ a3("section", { "aria-labelledby": "usage-title", children: [
    /* @__PURE__ */ a3("header", { class: "section-head", children: [
      /* @__PURE__ */ a3("h2", { id: "usage-title", children: "Instances over time" }),
      /* @__PURE__ */ a3(Choice, { label: "Last", options: DAYS2, value: days2, onChange: (value) => setQuery({ days: value }) }),
      /* @__PURE__ */ a3(Choice, { label: "For each", options: BY, value: by, onChange: (value) => setQuery({ over: value }) }),
      /* @__PURE__ */ a3("span", { class: "quiet", "aria-live": "polite", children: !usage2 && !error && "Loading the history \u2026" }),
      /* @__PURE__ */ a3("span", { class: "grow" }),
      /* @__PURE__ */ a3(Legend, { hasLimit: by === "type" })
    ] }),
    error && /* @__PURE__ */ a3(Trouble, { error }),
    usage2 && !usage2.groups.length && /* @__PURE__ */ a3("p", { class: "empty", children: "No job held or waited for instances in this period." }),
    usage2 && usage2.groups.length > 0 && /* @__PURE__ */ a3($, { children: [
      /* @__PURE__ */ a3("div", { class: "charts", children: usage2.groups.map((group) => /* @__PURE__ */ a3(GroupChart, { usage: usage2, group, now }, group.name)) }),
      /* @__PURE__ */ a3(Marks, { marks: usage2.marks, now })
    ] })
  ] });
}
function GroupChart({ usage: usage2, group, now }) {
  const [step, setStep] = d2(null);
  const held3 = {
    name: "held",
    colour: "--running",
    values: lasting(group.held),
    isFilled: true,
    isStepped: true
  };
  const waiting = { name: "waiting", colour: "--stopping", values: lasting(group.waiting), isStepped: true };
  const limit = group.limit ? [{ name: "budget", colour: "--ink", values: lasting(group.limit), isDashed: true, isStepped: true }] : [];
  const marks = marksOf(usage2, group).map(({ at, kind }) => ({
    at: Date.parse(at),
    colour: COLOURS[kind]
  }));
  const shown = Math.min(step ?? usage2.steps - 1, usage2.steps - 1);
  return /* @__PURE__ */ a3("figure", { class: "chart-of", children: [
    /* @__PURE__ */ a3("figcaption", { children: [
      /* @__PURE__ */ a3("strong", { children: group.name }),
      " ",
      /* @__PURE__ */ a3("span", { class: "quiet", children: valuesAt(usage2, group, shown, now) })
    ] }),
    /* @__PURE__ */ a3(
      Chart,
      {
        label: summary2(group),
        times: edges(usage2),
        lines: [held3, waiting, ...limit],
        marks,
        onPoint: setStep
      }
    ),
    /* @__PURE__ */ a3(Numbers, { usage: usage2, group, now })
  ] });
}
function Numbers({ usage: usage2, group, now }) {
  const [isOpen, setIsOpen] = d2(false);
  const hasLimit = free(group) !== null;
  return /* @__PURE__ */ a3("details", { class: "numbers", onToggle: (event) => setIsOpen(event.currentTarget.open), children: [
    /* @__PURE__ */ a3("summary", { children: "As a table" }),
    isOpen && /* @__PURE__ */ a3("table", { children: [
      /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
        /* @__PURE__ */ a3("th", { scope: "col", children: "From" }),
        /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Held" }),
        hasLimit && /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Free" }),
        /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Waiting" })
      ] }) }),
      /* @__PURE__ */ a3("tbody", { children: rowsOf(usage2, group, ROWS).map((row) => /* @__PURE__ */ a3("tr", { children: [
        /* @__PURE__ */ a3("th", { scope: "row", children: clock(row.begin, now) }),
        /* @__PURE__ */ a3("td", { class: "number", children: short(row.held) }),
        row.free !== null && /* @__PURE__ */ a3("td", { class: "number", children: short(row.free) }),
        /* @__PURE__ */ a3("td", { class: "number", children: short(row.waiting) })
      ] }, row.begin)) })
    ] })
  ] });
}
function Marks({ marks, now }) {
  const latest = [...marks].sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
  if (!latest.length) return /* @__PURE__ */ a3("p", { class: "nothing quiet", children: "No preemption and no budget change in this period." });
  const left = latest.length - LISTED;
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("ul", { class: "marks", "aria-label": "Preemptions and budget changes", children: latest.slice(0, LISTED).map((mark) => /* @__PURE__ */ a3("li", { children: [
      /* @__PURE__ */ a3("span", { class: `swatch mark-${mark.kind}`, "aria-hidden": "true" }),
      /* @__PURE__ */ a3("time", { class: "quiet", children: clock(mark.at, now) }),
      " ",
      mark.kind === "budget" ? "budget: " : "",
      mark.job ? /* @__PURE__ */ a3("a", { class: "link", href: linkTo(mark.job), children: said(mark) }) : said(mark)
    ] }, `${mark.at} ${mark.kind} ${mark.job}`)) }),
    left > 0 && /* @__PURE__ */ a3("p", { class: "nothing quiet", children: [
      plural(left, "earlier one"),
      " not listed."
    ] })
  ] });
}
function Legend({ hasLimit }) {
  const entries = [
    ["chart-held", "held"],
    ["chart-waiting", "waiting"],
    ...hasLimit ? [["chart-limit", "budget"]] : [],
    ["mark-preemption", "preemption"],
    ["mark-budget", "budget change"]
  ];
  return /* @__PURE__ */ a3("span", { class: "chart-legend quiet", children: entries.map(([look, label]) => /* @__PURE__ */ a3("span", { children: [
    /* @__PURE__ */ a3("span", { class: `swatch ${look}`, "aria-hidden": "true" }),
    " ",
    label
  ] }, label)) });
}
function Choice({ label, options, value, onChange }) {
  return /* @__PURE__ */ a3("label", { class: "quiet", children: [
    label,
    " ",
    /* @__PURE__ */ a3("select", { value, onChange: (event) => onChange(event.currentTarget.value), children: Object.entries(options).map(([one, name]) => /* @__PURE__ */ a3("option", { value: one, children: name }, one)) })
  ] });
}
function lasting(values2) {
  return [...values2, values2.at(-1) ?? 0];
}
function oneOf(options, wanted) {
  return wanted && wanted in options ? wanted : Object.keys(options)[0];
}

// src/waste.ts
var USES = {
  completed: "completed",
  kept: "preempted, in a checkpoint",
  lost: "preempted, lost at most",
  failed: "failed",
  idle: "stopped for idle GPUs",
  stopped: "cancelled or stopped",
  starting: "starting up",
  retained: "warm pools"
};
function uses(sums) {
  const seconds = {
    completed: sums.completed_instance_seconds,
    kept: Math.max(0, sums.preempted_instance_seconds - sums.lost_at_most_instance_seconds),
    lost: sums.lost_at_most_instance_seconds,
    failed: sums.failed_instance_seconds,
    idle: sums.idle_instance_seconds,
    stopped: sums.stopped_instance_seconds,
    starting: sums.starting_instance_seconds,
    retained: sums.retained_instance_seconds
  };
  for (const use of Object.keys(seconds)) seconds[use] *= 1e3;
  return seconds;
}
function held2(sums) {
  return Object.values(uses(sums)).reduce((sum2, time2) => sum2 + time2, 0);
}
function ordered(groups, by) {
  const all = Object.entries(groups);
  return by === "day" ? all.reverse() : all.sort(([, one], [, other]) => held2(other) - held2(one));
}
function sum(amount2, sums) {
  if (sums.unpriced_runs && sums.unpriced_runs === sums.runs) return "?";
  return amount2 + (sums.unpriced_runs ? "+" : "");
}

// src/uses.tsx
var ALL = Object.entries(USES);
function Uses({ total: total2 }) {
  const [times, all] = [uses(total2), held2(total2)];
  return /* @__PURE__ */ a3("div", { class: "uses", children: [
    /* @__PURE__ */ a3(UseBar, { sums: total2 }),
    /* @__PURE__ */ a3("dl", { class: "use-list", children: ALL.map(([use, label]) => /* @__PURE__ */ a3("div", { class: times[use] ? "" : "none", children: [
      /* @__PURE__ */ a3("dt", { children: [
        /* @__PURE__ */ a3("span", { class: `swatch use-${use}`, "aria-hidden": "true" }),
        label
      ] }),
      /* @__PURE__ */ a3("dd", { children: [
        times[use] ? span(times[use]) : "none",
        " ",
        /* @__PURE__ */ a3("span", { class: "quiet", children: times[use] > 0 && share2(times[use], all) })
      ] })
    ] }, use)) }),
    /* @__PURE__ */ a3("p", { class: "quiet", children: [
      plural(total2.runs, "attempt"),
      " of ",
      plural(total2.jobs, "job"),
      " cost ",
      sum(dollars(total2.cost_dollars), total2),
      ", of which at most ",
      sum(dollars(total2.wasted_at_most_dollars), total2),
      " were lost to preemptions and failures. Spot saved ",
      sum(dollars(total2.saved_dollars), total2),
      ". They waited ",
      span(total2.waited_seconds / total2.runs * 1e3),
      " ",
      "on average, and ",
      span(total2.longest_wait_seconds * 1e3),
      " at most."
    ] })
  ] });
}
function UseGroups({ groups, by, label }) {
  return /* @__PURE__ */ a3("table", { class: "cards wide groups", children: [
    /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "col", children: label }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Jobs" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Attempts" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Waited" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "At most" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Instance time" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Use" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Cost" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Saved" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Waste \u2264" })
    ] }) }),
    /* @__PURE__ */ a3("tbody", { children: ordered(groups, by).map(([name, sums]) => /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "row", title: name, children: by === "owner" ? person(name) : name }),
      /* @__PURE__ */ a3("td", { class: "number", "data-label": "jobs", children: sums.jobs }),
      /* @__PURE__ */ a3("td", { class: "number", "data-label": "attempts", children: sums.runs }),
      /* @__PURE__ */ a3("td", { class: "number", "data-label": "waited", children: span(sums.waited_seconds / sums.runs * 1e3) }),
      /* @__PURE__ */ a3("td", { class: "number", "data-label": "at most", children: span(sums.longest_wait_seconds * 1e3) }),
      /* @__PURE__ */ a3("td", { class: "number", "data-label": "instance time", children: span(held2(sums)) }),
      /* @__PURE__ */ a3("td", { children: held2(sums) > 0 && /* @__PURE__ */ a3(UseBar, { sums }) }),
      /* @__PURE__ */ a3("td", { class: "number", "data-label": "cost", children: sum(dollars(sums.cost_dollars), sums) }),
      /* @__PURE__ */ a3("td", { class: "number", "data-label": "saved", children: sum(dollars(sums.saved_dollars), sums) }),
      /* @__PURE__ */ a3("td", { class: "number", "data-label": "waste \u2264", children: sum(dollars(sums.wasted_at_most_dollars), sums) })
    ] }, name)) })
  ] });
}
function UseBar({ sums }) {
  const [times, all] = [uses(sums), held2(sums)];
  const parts = ALL.filter(([use]) => times[use]);
  const said2 = parts.map(([use, label]) => `${label} ${share2(times[use], all)}`).join(", ");
  return /* @__PURE__ */ a3("span", { class: "use-bar", role: "img", "aria-label": said2, title: said2, children: parts.map(([use]) => /* @__PURE__ */ a3("span", { class: `use-${use}`, style: { width: `${times[use] / all * 100}%` } }, use)) });
}
function share2(part, all) {
  return all ? `${Math.round(part / all * 100)} %` : "";
}

// src/history_view.tsx
var DAY3 = 864e5;
var PERIODS = {
  "the last 7 days": (now) => new Date(now.getTime() - 7 * DAY3),
  "the last 30 days": (now) => new Date(now.getTime() - 30 * DAY3),
  "this month": (now) => new Date(now.getFullYear(), now.getMonth(), 1)
};
var BY2 = { type: "instance type" };
function HistoryView() {
  const now = useNow(1e4);
  const [query2, setQuery] = useQuery();
  const wanted = query2.get("period") ?? "";
  const period = wanted in PERIODS ? wanted : "the last 7 days";
  const by = query2.get("by") ?? "owner";
  const [looks, setLooks] = d2(0);
  const since2 = PERIODS[period];
  const { value, error } = useOnce(() => readSince(since2(/* @__PURE__ */ new Date())), `${period} ${looks}`);
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("h1", { class: "unseen", children: "History" }),
    error && /* @__PURE__ */ a3(Trouble, { error }),
    /* @__PURE__ */ a3(UsageCharts, { now, looks }),
    /* @__PURE__ */ a3("section", { "aria-labelledby": "use-title", children: [
      /* @__PURE__ */ a3("header", { class: "section-head", children: [
        /* @__PURE__ */ a3("h2", { id: "use-title", children: "Use of instance time" }),
        /* @__PURE__ */ a3("label", { children: [
          /* @__PURE__ */ a3("span", { class: "unseen", children: "Period" }),
          /* @__PURE__ */ a3("select", { value: period, onChange: (event) => setQuery({ period: event.currentTarget.value }), children: Object.keys(PERIODS).map((one) => /* @__PURE__ */ a3("option", { children: one }, one)) })
        ] }),
        /* @__PURE__ */ a3("span", { class: "quiet", "aria-live": "polite", children: [
          value && `of attempts that ended since ${clock(value.since.getTime(), now)}`,
          !value && !error && "Loading the history \u2026"
        ] }),
        /* @__PURE__ */ a3("span", { class: "grow" }),
        /* @__PURE__ */ a3("button", { type: "button", onClick: () => setLooks(looks + 1), children: "Refresh" })
      ] }),
      value?.report && /* @__PURE__ */ a3(Told, { report: value.report })
    ] }),
    value?.report && value.report.total.runs > 0 && /* @__PURE__ */ a3("section", { "aria-labelledby": "by-title", children: [
      /* @__PURE__ */ a3("header", { class: "section-head", children: [
        /* @__PURE__ */ a3("h2", { id: "by-title", children: "By group" }),
        /* @__PURE__ */ a3("label", { children: [
          /* @__PURE__ */ a3("span", { class: "unseen", children: "Group by" }),
          /* @__PURE__ */ a3("select", { value: by, onChange: (event) => setQuery({ by: event.currentTarget.value }), children: Object.keys(value.report.groups).map((one) => /* @__PURE__ */ a3("option", { value: one, children: named(one) }, one)) })
        ] })
      ] }),
      /* @__PURE__ */ a3(UseGroups, { groups: value.report.groups[by] ?? {}, by, label: named(by) })
    ] }),
    value && /* @__PURE__ */ a3(EndedJobs, { jobs: value.ended.jobs, now })
  ] });
}
function Told({ report }) {
  return /* @__PURE__ */ a3($, { children: [
    report.total.runs ? /* @__PURE__ */ a3(Uses, { total: report.total }) : /* @__PURE__ */ a3("p", { class: "empty", children: "No attempt ended in this period." }),
    report.notes.map((note) => /* @__PURE__ */ a3("p", { class: "nothing caution", children: note }, note))
  ] });
}
async function readSince(since2) {
  const [report, ended2] = await Promise.all([
    read("report", { since: since2.toISOString() }).catch(nullIfOnlyLocal),
    read("jobs", { state: "completed,failed,stopped" })
  ]);
  return { report, ended: ended2, since: since2 };
}
function nullIfOnlyLocal(cause) {
  if (refusalOf(cause).code === "only_local") return null;
  throw cause;
}
function named(by) {
  return by.startsWith("tag:") ? `tag ${by.slice("tag:".length)}` : BY2[by] ?? by;
}

// src/hosted.ts
async function hostedSettings() {
  const answer2 = await fetch("/hosted.json").catch(() => null);
  return answer2?.ok ? await answer2.json() : null;
}

// src/direct_batches.ts
var AT_ONCE = 20;
function directBatches(call2) {
  const all = /* @__PURE__ */ new Map();
  return async (method, id, verb, body) => {
    if (method === "GET" && !id) return { batches: [...all.values()] };
    if (!id) return start2(JSON.parse(body ?? "{}"));
    const batch = all.get(id);
    if (!batch) throw new Refusal("unknown_batch", "This tab does not know the action.", "Reload the page.");
    if (verb === "stop") batch.is_stopping = !batch.is_over;
    return { ...batch };
  };
  function start2(wanted) {
    const names = wanted.verb === "top" ? [...wanted.names].reverse() : wanted.names;
    const batch = {
      id: crypto.randomUUID(),
      verb: wanted.verb,
      priority: wanted.priority ?? null,
      total: names.length,
      changed: [],
      refused: [],
      error: null,
      is_stopping: false,
      is_over: false
    };
    all.set(batch.id, batch);
    void run(batch, names, wanted);
    return { ...batch };
  }
  async function run(batch, names, wanted) {
    try {
      let left = names;
      while (left.length && !batch.is_stopping) {
        const done = await changeNext(left.slice(0, AT_ONCE), wanted);
        batch.changed = [...batch.changed, ...done.changed];
        batch.refused = [...batch.refused, ...done.refused];
        left = left.slice(done.changed.length + done.refused.length);
      }
    } catch (cause) {
      const { message, remedy } = refusalOf(cause);
      batch.error = `${message} ${remedy}`;
    }
    batch.is_stopping = false;
    batch.is_over = true;
  }
  async function changeNext(names, { verb, priority, attempts }) {
    const numbers = attempts && Object.fromEntries(names.map((name) => [name, attempts[name]]));
    const body = { change: verb, names, limit: AT_ONCE, ...numbers && { attempts: numbers } };
    return await call2(
      "POST",
      "/change-jobs",
      JSON.stringify({ ...body, ...priority !== void 0 && { priority } })
    );
  }
}

// node_modules/diff/libesm/diff/base.js
var Diff = class {
  diff(oldStr, newStr, options = {}) {
    let callback;
    if (typeof options === "function") {
      callback = options;
      options = {};
    } else if ("callback" in options) {
      callback = options.callback;
    }
    const oldString = this.castInput(oldStr, options);
    const newString = this.castInput(newStr, options);
    const oldTokens = this.removeEmpty(this.tokenize(oldString, options));
    const newTokens = this.removeEmpty(this.tokenize(newString, options));
    return this.diffWithOptionsObj(oldTokens, newTokens, options, callback);
  }
  diffWithOptionsObj(oldTokens, newTokens, options, callback) {
    var _a;
    const done = (value) => {
      value = this.postProcess(value, options);
      if (callback) {
        setTimeout(function() {
          callback(value);
        }, 0);
        return void 0;
      } else {
        return value;
      }
    };
    const newLen = newTokens.length, oldLen = oldTokens.length;
    let editLength = 1;
    let maxEditLength = newLen + oldLen;
    if (options.maxEditLength != null) {
      maxEditLength = Math.min(maxEditLength, options.maxEditLength);
    }
    const maxExecutionTime = (_a = options.timeout) !== null && _a !== void 0 ? _a : Infinity;
    const abortAfterTimestamp = Date.now() + maxExecutionTime;
    const bestPath = [{ oldPos: -1, lastComponent: void 0 }];
    let newPos = this.extractCommon(bestPath[0], newTokens, oldTokens, 0, options);
    if (bestPath[0].oldPos + 1 >= oldLen && newPos + 1 >= newLen) {
      return done(this.buildValues(bestPath[0].lastComponent, newTokens, oldTokens));
    }
    let minDiagonalToConsider = -Infinity, maxDiagonalToConsider = Infinity;
    const execEditLength = () => {
      for (let diagonalPath = Math.max(minDiagonalToConsider, -editLength); diagonalPath <= Math.min(maxDiagonalToConsider, editLength); diagonalPath += 2) {
        let basePath;
        const removePath = bestPath[diagonalPath - 1], addPath = bestPath[diagonalPath + 1];
        if (removePath) {
          bestPath[diagonalPath - 1] = void 0;
        }
        let canAdd = false;
        if (addPath) {
          const addPathNewPos = addPath.oldPos - diagonalPath;
          canAdd = addPath && 0 <= addPathNewPos && addPathNewPos < newLen;
        }
        const canRemove = removePath && removePath.oldPos + 1 < oldLen;
        if (!canAdd && !canRemove) {
          bestPath[diagonalPath] = void 0;
          continue;
        }
        if (!canRemove || canAdd && removePath.oldPos < addPath.oldPos) {
          basePath = this.addToPath(addPath, true, false, 0, options);
        } else {
          basePath = this.addToPath(removePath, false, true, 1, options);
        }
        newPos = this.extractCommon(basePath, newTokens, oldTokens, diagonalPath, options);
        if (basePath.oldPos + 1 >= oldLen && newPos + 1 >= newLen) {
          return done(this.buildValues(basePath.lastComponent, newTokens, oldTokens)) || true;
        } else {
          bestPath[diagonalPath] = basePath;
          if (basePath.oldPos + 1 >= oldLen) {
            maxDiagonalToConsider = Math.min(maxDiagonalToConsider, diagonalPath - 1);
          }
          if (newPos + 1 >= newLen) {
            minDiagonalToConsider = Math.max(minDiagonalToConsider, diagonalPath + 1);
          }
        }
      }
      editLength++;
    };
    if (callback) {
      (function exec() {
        setTimeout(function() {
          if (editLength > maxEditLength || Date.now() > abortAfterTimestamp) {
            return callback(void 0);
          }
          if (!execEditLength()) {
            exec();
          }
        }, 0);
      })();
    } else {
      while (editLength <= maxEditLength && Date.now() <= abortAfterTimestamp) {
        const ret = execEditLength();
        if (ret) {
          return ret;
        }
      }
    }
  }
  addToPath(path, added, removed, oldPosInc, options) {
    const last = path.lastComponent;
    if (last && !options.oneChangePerToken && last.added === added && last.removed === removed) {
      return {
        oldPos: path.oldPos + oldPosInc,
        lastComponent: { count: last.count + 1, added, removed, previousComponent: last.previousComponent }
      };
    } else {
      return {
        oldPos: path.oldPos + oldPosInc,
        lastComponent: { count: 1, added, removed, previousComponent: last }
      };
    }
  }
  extractCommon(basePath, newTokens, oldTokens, diagonalPath, options) {
    const newLen = newTokens.length, oldLen = oldTokens.length;
    let oldPos = basePath.oldPos, newPos = oldPos - diagonalPath, commonCount = 0;
    while (newPos + 1 < newLen && oldPos + 1 < oldLen && this.equals(oldTokens[oldPos + 1], newTokens[newPos + 1], options)) {
      newPos++;
      oldPos++;
      commonCount++;
      if (options.oneChangePerToken) {
        basePath.lastComponent = { count: 1, previousComponent: basePath.lastComponent, added: false, removed: false };
      }
    }
    if (commonCount && !options.oneChangePerToken) {
      basePath.lastComponent = { count: commonCount, previousComponent: basePath.lastComponent, added: false, removed: false };
    }
    basePath.oldPos = oldPos;
    return newPos;
  }
  equals(left, right, options) {
    if (options.comparator) {
      return options.comparator(left, right);
    } else {
      return left === right || !!options.ignoreCase && left.toLowerCase() === right.toLowerCase();
    }
  }
  removeEmpty(array) {
    const ret = [];
    for (let i3 = 0; i3 < array.length; i3++) {
      if (array[i3]) {
        ret.push(array[i3]);
      }
    }
    return ret;
  }
  // eslint-disable-next-line @typescript-eslint/no-unused-vars
  castInput(value, options) {
    return value;
  }
  // eslint-disable-next-line @typescript-eslint/no-unused-vars
  tokenize(value, options) {
    return Array.from(value);
  }
  join(chars) {
    return chars.join("");
  }
  postProcess(changeObjects, options) {
    return changeObjects;
  }
  get useLongestToken() {
    return false;
  }
  buildValues(lastComponent, newTokens, oldTokens) {
    const components = [];
    let nextComponent;
    while (lastComponent) {
      components.push(lastComponent);
      nextComponent = lastComponent.previousComponent;
      delete lastComponent.previousComponent;
      lastComponent = nextComponent;
    }
    components.reverse();
    const componentLen = components.length;
    let componentPos = 0, newPos = 0, oldPos = 0;
    for (; componentPos < componentLen; componentPos++) {
      const component = components[componentPos];
      if (!component.removed) {
        if (!component.added && this.useLongestToken) {
          let value = newTokens.slice(newPos, newPos + component.count);
          value = value.map(function(value2, i3) {
            const oldValue = oldTokens[oldPos + i3];
            return oldValue.length > value2.length ? oldValue : value2;
          });
          component.value = this.join(value);
        } else {
          component.value = this.join(newTokens.slice(newPos, newPos + component.count));
        }
        newPos += component.count;
        if (!component.added) {
          oldPos += component.count;
        }
      } else {
        component.value = this.join(oldTokens.slice(oldPos, oldPos + component.count));
        oldPos += component.count;
      }
    }
    return components;
  }
};

// node_modules/diff/libesm/diff/line.js
var LineDiff = class extends Diff {
  constructor() {
    super(...arguments);
    this.tokenize = tokenize;
  }
  equals(left, right, options) {
    if (options.ignoreWhitespace) {
      if (!options.newlineIsToken || !left.includes("\n")) {
        left = left.trim();
      }
      if (!options.newlineIsToken || !right.includes("\n")) {
        right = right.trim();
      }
    } else if (options.ignoreNewlineAtEof && !options.newlineIsToken) {
      if (left.endsWith("\n")) {
        left = left.slice(0, -1);
      }
      if (right.endsWith("\n")) {
        right = right.slice(0, -1);
      }
    }
    return super.equals(left, right, options);
  }
};
var lineDiff = new LineDiff();
function diffLines(oldStr, newStr, options) {
  return lineDiff.diff(oldStr, newStr, options);
}
function tokenize(value, options) {
  if (options.stripTrailingCr) {
    value = value.replace(/\r\n/g, "\n");
  }
  const retLines = [], linesAndNewlines = value.split(/(\n|\r\n)/);
  if (!linesAndNewlines[linesAndNewlines.length - 1]) {
    linesAndNewlines.pop();
  }
  for (let i3 = 0; i3 < linesAndNewlines.length; i3++) {
    const line = linesAndNewlines[i3];
    if (i3 % 2 && !options.newlineIsToken) {
      retLines[retLines.length - 1] += line;
    } else {
      retLines.push(line);
    }
  }
  return retLines;
}

// node_modules/diff/libesm/patch/create.js
function structuredPatch(oldFileName, newFileName, oldStr, newStr, oldHeader, newHeader, options) {
  let optionsObj;
  if (!options) {
    optionsObj = {};
  } else if (typeof options === "function") {
    optionsObj = { callback: options };
  } else {
    optionsObj = options;
  }
  if (typeof optionsObj.context === "undefined") {
    optionsObj.context = 4;
  }
  const context = optionsObj.context;
  if (optionsObj.newlineIsToken) {
    throw new Error("newlineIsToken may not be used with patch-generation functions, only with diffing functions");
  }
  if (!optionsObj.callback) {
    return diffLinesResultToPatch(diffLines(oldStr, newStr, optionsObj));
  } else {
    const { callback } = optionsObj;
    diffLines(oldStr, newStr, Object.assign(Object.assign({}, optionsObj), { callback: (diff) => {
      const patch = diffLinesResultToPatch(diff);
      callback(patch);
    } }));
  }
  function diffLinesResultToPatch(diff) {
    if (!diff) {
      return;
    }
    diff.push({ value: "", lines: [] });
    function contextLines(lines) {
      return lines.map(function(entry2) {
        return " " + entry2;
      });
    }
    const hunks = [];
    let oldRangeStart = 0, newRangeStart = 0, curRange = [], oldLine = 1, newLine = 1;
    for (let i3 = 0; i3 < diff.length; i3++) {
      const current = diff[i3], lines = current.lines || splitLines(current.value);
      current.lines = lines;
      if (current.added || current.removed) {
        if (!oldRangeStart) {
          const prev = diff[i3 - 1];
          oldRangeStart = oldLine;
          newRangeStart = newLine;
          if (prev) {
            curRange = context > 0 ? contextLines(prev.lines.slice(-context)) : [];
            oldRangeStart -= curRange.length;
            newRangeStart -= curRange.length;
          }
        }
        for (const line of lines) {
          curRange.push((current.added ? "+" : "-") + line);
        }
        if (current.added) {
          newLine += lines.length;
        } else {
          oldLine += lines.length;
        }
      } else {
        if (oldRangeStart) {
          if (lines.length <= context * 2 && i3 < diff.length - 2) {
            for (const line of contextLines(lines)) {
              curRange.push(line);
            }
          } else {
            const contextSize = Math.min(lines.length, context);
            for (const line of contextLines(lines.slice(0, contextSize))) {
              curRange.push(line);
            }
            const hunk = {
              oldStart: oldRangeStart,
              oldLines: oldLine - oldRangeStart + contextSize,
              newStart: newRangeStart,
              newLines: newLine - newRangeStart + contextSize,
              lines: curRange
            };
            hunks.push(hunk);
            oldRangeStart = 0;
            newRangeStart = 0;
            curRange = [];
          }
        }
        oldLine += lines.length;
        newLine += lines.length;
      }
    }
    for (const hunk of hunks) {
      for (let i3 = 0; i3 < hunk.lines.length; i3++) {
        if (hunk.lines[i3].endsWith("\n")) {
          hunk.lines[i3] = hunk.lines[i3].slice(0, -1);
        } else {
          hunk.lines.splice(i3 + 1, 0, "\\ No newline at end of file");
          i3++;
        }
      }
    }
    return {
      oldFileName,
      newFileName,
      oldHeader,
      newHeader,
      hunks
    };
  }
}
function splitLines(text) {
  const hasTrailingNl = text.endsWith("\n");
  const result = text.split("\n").map((line) => line + "\n");
  if (hasTrailingNl) {
    result.pop();
  } else {
    result.push(result.pop().slice(0, -1));
  }
  return result;
}

// src/direct_config.ts
function directConfig(call2) {
  return async (method, path, query2, body, signal2) => {
    if (path === "config/difference") {
      const [before, after] = await Promise.all([version(query2.get("from")), version(query2.get("to"))]);
      return { differences: differences(before.sections, after.sections) };
    }
    if (path === "config/schema") return {};
    const content = await call2(method, query2.size ? `/${path}?${query2}` : `/${path}`, body, signal2);
    if (path.endsWith("/plan")) return withDifferences(content);
    return path === "config" && method === "GET" ? withTexts(content) : content;
  };
  async function version(number) {
    return await call2("GET", number ? `/config?version=${number}` : "/config");
  }
}
function withTexts(config) {
  const texts = Object.fromEntries(Object.entries(config.sections).map(([kind, section]) => [kind, textOf2(section)]));
  return { ...config, text: textOf2(config.sections), texts };
}
function withDifferences(plan) {
  return { ...plan, differences: differences(plan.before, plan.after) };
}
function differences(before, after) {
  const kinds2 = Object.keys({ ...before, ...after });
  const found = kinds2.map((kind) => [kind, linesOf(textIn(before, kind), textIn(after, kind))]);
  return Object.fromEntries(found.filter(([, lines]) => lines.length));
}
function linesOf(before, after) {
  const { hunks } = structuredPatch("", "", before, after, "", "", { context: 3 });
  return hunks.flatMap((hunk, index) => [
    ...index ? ["\u2026"] : [],
    ...hunk.lines.filter((line) => !line.startsWith("\\"))
  ]);
}
function textIn(sections, kind) {
  return kind in sections ? textOf2(sections[kind]) : "";
}
function textOf2(section) {
  return `${JSON.stringify(section, null, 2)}
`;
}

// src/direct_calls.ts
var PAGE = "200";
var LOCAL = new Refusal(
  "only_local",
  "The hosted page does not show this.",
  "Use `sagequeue ui` or the command line."
);
function directCalls(signed) {
  const call2 = async (method, path, body = null, signal2 = null) => contentOf(await signed(method, path, body, signal2));
  const batches = directBatches(call2);
  const config = directConfig(call2);
  return (method, address, body, signal2) => {
    const [path = "", text = ""] = address.split("?");
    const query2 = new URLSearchParams(text);
    const [noun, name, verb] = path.split("/");
    if (/^jobs\/[^/]+\/(log|metrics|trials)$/.test(path) || ["usage", "report"].includes(path)) throw LOCAL;
    if (noun === "batches") return batches(method, name ?? "", verb ?? "", body);
    if (noun === "config") return config(method, path, query2, body, signal2);
    if (path === "jobs") query2.set("limit", PAGE);
    if (path === "submit") return call2("POST", "/jobs", submissionOf(body), signal2);
    if (path === "what-if") return call2("POST", "/what-if", submissionOf(body), signal2);
    return call2(method, query2.size ? `/${path}?${query2}` : `/${path}`, body, signal2);
  };
}
async function contentOf(answer2) {
  const content = await answer2.json().catch(() => ({}));
  if (answer2.ok) return content;
  if (content.error) throw new Refusal(content.error, content.message, content.remedy, content);
  const said2 = String(content.message ?? content.Message ?? "");
  if (/not authorized|explicit deny/.test(said2))
    throw new Refusal("not_permitted", "Your group may not do this.", "Ask the person who manages the page's users.");
  if (/signature/i.test(said2))
    throw new Refusal("signature", "AWS refused the signature.", "Check this machine's clock, and sign in again.");
  throw new Refusal("refused", said2 || `The queue's API answered ${answer2.status}.`, "Try again.");
}
function submissionOf(body) {
  let content;
  try {
    content = JSON.parse(body ?? "");
  } catch (cause) {
    throw new Refusal("QueueError", `The request is not readable JSON: ${cause}`, "Correct the text.");
  }
  const members = Object.keys(content ?? {}).sort().join();
  return JSON.stringify(members === "options,request" ? content : { request: content });
}

// node_modules/aws4fetch/dist/aws4fetch.esm.mjs
var encoder2 = new TextEncoder();
var HOST_SERVICES = {
  appstream2: "appstream",
  cloudhsmv2: "cloudhsm",
  email: "ses",
  marketplace: "aws-marketplace",
  mobile: "AWSMobileHubService",
  pinpoint: "mobiletargeting",
  queue: "sqs",
  "git-codecommit": "codecommit",
  "mturk-requester-sandbox": "mturk-requester",
  "personalize-runtime": "personalize"
};
var UNSIGNABLE_HEADERS = /* @__PURE__ */ new Set([
  "authorization",
  "content-type",
  "content-length",
  "user-agent",
  "presigned-expires",
  "expect",
  "x-amzn-trace-id",
  "range",
  "connection"
]);
var AwsClient = class {
  constructor({ accessKeyId, secretAccessKey, sessionToken, service, region, cache, retries, initRetryMs }) {
    if (accessKeyId == null) throw new TypeError("accessKeyId is a required option");
    if (secretAccessKey == null) throw new TypeError("secretAccessKey is a required option");
    this.accessKeyId = accessKeyId;
    this.secretAccessKey = secretAccessKey;
    this.sessionToken = sessionToken;
    this.service = service;
    this.region = region;
    this.cache = cache || /* @__PURE__ */ new Map();
    this.retries = retries != null ? retries : 10;
    this.initRetryMs = initRetryMs || 50;
  }
  async sign(input, init) {
    if (input instanceof Request) {
      const { method, url, headers, body } = input;
      init = Object.assign({ method, url, headers }, init);
      if (init.body == null && headers.has("Content-Type")) {
        init.body = body != null && headers.has("X-Amz-Content-Sha256") ? body : await input.clone().arrayBuffer();
      }
      input = url;
    }
    const signer = new AwsV4Signer(Object.assign({ url: input.toString() }, init, this, init && init.aws));
    const signed = Object.assign({}, init, await signer.sign());
    delete signed.aws;
    try {
      return new Request(signed.url.toString(), signed);
    } catch (e3) {
      if (e3 instanceof TypeError) {
        return new Request(signed.url.toString(), Object.assign({ duplex: "half" }, signed));
      }
      throw e3;
    }
  }
  async fetch(input, init) {
    for (let i3 = 0; i3 <= this.retries; i3++) {
      const fetched = fetch(await this.sign(input, init));
      if (i3 === this.retries) {
        return fetched;
      }
      const res = await fetched;
      if (res.status < 500 && res.status !== 429) {
        return res;
      }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * this.initRetryMs * Math.pow(2, i3)));
    }
    throw new Error("An unknown error occurred, ensure retries is not negative");
  }
};
var AwsV4Signer = class {
  constructor({ method, url, headers, body, accessKeyId, secretAccessKey, sessionToken, service, region, cache, datetime, signQuery, appendSessionToken, allHeaders, singleEncode }) {
    if (url == null) throw new TypeError("url is a required option");
    if (accessKeyId == null) throw new TypeError("accessKeyId is a required option");
    if (secretAccessKey == null) throw new TypeError("secretAccessKey is a required option");
    this.method = method || (body ? "POST" : "GET");
    this.url = new URL(url);
    this.headers = new Headers(headers || {});
    this.body = body;
    this.accessKeyId = accessKeyId;
    this.secretAccessKey = secretAccessKey;
    this.sessionToken = sessionToken;
    let guessedService, guessedRegion;
    if (!service || !region) {
      [guessedService, guessedRegion] = guessServiceRegion(this.url, this.headers);
    }
    this.service = service || guessedService || "";
    this.region = region || guessedRegion || "us-east-1";
    this.cache = cache || /* @__PURE__ */ new Map();
    this.datetime = datetime || (/* @__PURE__ */ new Date()).toISOString().replace(/[:-]|\.\d{3}/g, "");
    this.signQuery = signQuery;
    this.appendSessionToken = appendSessionToken || this.service === "iotdevicegateway";
    this.headers.delete("Host");
    if (this.service === "s3" && !this.signQuery && !this.headers.has("X-Amz-Content-Sha256")) {
      this.headers.set("X-Amz-Content-Sha256", "UNSIGNED-PAYLOAD");
    }
    const params = this.signQuery ? this.url.searchParams : this.headers;
    params.set("X-Amz-Date", this.datetime);
    if (this.sessionToken && !this.appendSessionToken) {
      params.set("X-Amz-Security-Token", this.sessionToken);
    }
    this.signableHeaders = ["host", ...this.headers.keys()].filter((header) => allHeaders || !UNSIGNABLE_HEADERS.has(header)).sort();
    this.signedHeaders = this.signableHeaders.join(";");
    this.canonicalHeaders = this.signableHeaders.map((header) => header + ":" + (header === "host" ? this.url.host : (this.headers.get(header) || "").replace(/\s+/g, " "))).join("\n");
    this.credentialString = [this.datetime.slice(0, 8), this.region, this.service, "aws4_request"].join("/");
    if (this.signQuery) {
      if (this.service === "s3" && !params.has("X-Amz-Expires")) {
        params.set("X-Amz-Expires", "86400");
      }
      params.set("X-Amz-Algorithm", "AWS4-HMAC-SHA256");
      params.set("X-Amz-Credential", this.accessKeyId + "/" + this.credentialString);
      params.set("X-Amz-SignedHeaders", this.signedHeaders);
    }
    if (this.service === "s3") {
      try {
        this.encodedPath = decodeURIComponent(this.url.pathname.replace(/\+/g, " "));
      } catch (e3) {
        this.encodedPath = this.url.pathname;
      }
    } else {
      this.encodedPath = this.url.pathname.replace(/\/+/g, "/");
    }
    if (!singleEncode) {
      this.encodedPath = encodeURIComponent(this.encodedPath).replace(/%2F/g, "/");
    }
    this.encodedPath = encodeRfc3986(this.encodedPath);
    const seenKeys = /* @__PURE__ */ new Set();
    this.encodedSearch = [...this.url.searchParams].filter(([k2]) => {
      if (!k2) return false;
      if (this.service === "s3") {
        if (seenKeys.has(k2)) return false;
        seenKeys.add(k2);
      }
      return true;
    }).map((pair) => pair.map((p3) => encodeRfc3986(encodeURIComponent(p3)))).sort(([k1, v1], [k2, v22]) => k1 < k2 ? -1 : k1 > k2 ? 1 : v1 < v22 ? -1 : v1 > v22 ? 1 : 0).map((pair) => pair.join("=")).join("&");
  }
  async sign() {
    if (this.signQuery) {
      this.url.searchParams.set("X-Amz-Signature", await this.signature());
      if (this.sessionToken && this.appendSessionToken) {
        this.url.searchParams.set("X-Amz-Security-Token", this.sessionToken);
      }
    } else {
      this.headers.set("Authorization", await this.authHeader());
    }
    return {
      method: this.method,
      url: this.url,
      headers: this.headers,
      body: this.body
    };
  }
  async authHeader() {
    return [
      "AWS4-HMAC-SHA256 Credential=" + this.accessKeyId + "/" + this.credentialString,
      "SignedHeaders=" + this.signedHeaders,
      "Signature=" + await this.signature()
    ].join(", ");
  }
  async signature() {
    const date = this.datetime.slice(0, 8);
    const cacheKey = [this.secretAccessKey, date, this.region, this.service].join();
    let kCredentials = this.cache.get(cacheKey);
    if (!kCredentials) {
      const kDate = await hmac("AWS4" + this.secretAccessKey, date);
      const kRegion = await hmac(kDate, this.region);
      const kService = await hmac(kRegion, this.service);
      kCredentials = await hmac(kService, "aws4_request");
      this.cache.set(cacheKey, kCredentials);
    }
    return buf2hex(await hmac(kCredentials, await this.stringToSign()));
  }
  async stringToSign() {
    return [
      "AWS4-HMAC-SHA256",
      this.datetime,
      this.credentialString,
      buf2hex(await hash(await this.canonicalString()))
    ].join("\n");
  }
  async canonicalString() {
    return [
      this.method.toUpperCase(),
      this.encodedPath,
      this.encodedSearch,
      this.canonicalHeaders + "\n",
      this.signedHeaders,
      await this.hexBodyHash()
    ].join("\n");
  }
  async hexBodyHash() {
    let hashHeader = this.headers.get("X-Amz-Content-Sha256") || (this.service === "s3" && this.signQuery ? "UNSIGNED-PAYLOAD" : null);
    if (hashHeader == null) {
      if (this.body && typeof this.body !== "string" && !("byteLength" in this.body)) {
        throw new Error("body must be a string, ArrayBuffer or ArrayBufferView, unless you include the X-Amz-Content-Sha256 header");
      }
      hashHeader = buf2hex(await hash(this.body || ""));
    }
    return hashHeader;
  }
};
async function hmac(key, string) {
  const cryptoKey = await crypto.subtle.importKey(
    "raw",
    typeof key === "string" ? encoder2.encode(key) : key,
    { name: "HMAC", hash: { name: "SHA-256" } },
    false,
    ["sign"]
  );
  return crypto.subtle.sign("HMAC", cryptoKey, encoder2.encode(string));
}
async function hash(content) {
  return crypto.subtle.digest("SHA-256", typeof content === "string" ? encoder2.encode(content) : content);
}
var HEX_CHARS = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "a", "b", "c", "d", "e", "f"];
function buf2hex(arrayBuffer) {
  const buffer = new Uint8Array(arrayBuffer);
  let out = "";
  for (let idx = 0; idx < buffer.length; idx++) {
    const n2 = buffer[idx];
    out += HEX_CHARS[n2 >>> 4 & 15];
    out += HEX_CHARS[n2 & 15];
  }
  return out;
}
function encodeRfc3986(urlEncodedStr) {
  return urlEncodedStr.replace(/[!'()*]/g, (c3) => "%" + c3.charCodeAt(0).toString(16).toUpperCase());
}
function guessServiceRegion(url, headers) {
  const { hostname, pathname } = url;
  if (hostname.endsWith(".on.aws")) {
    const match2 = hostname.match(/^[^.]{1,63}\.lambda-url\.([^.]{1,63})\.on\.aws$/);
    return match2 != null ? ["lambda", match2[1] || ""] : ["", ""];
  }
  if (hostname.endsWith(".r2.cloudflarestorage.com")) {
    return ["s3", "auto"];
  }
  if (hostname.endsWith(".backblazeb2.com")) {
    const match2 = hostname.match(/^(?:[^.]{1,63}\.)?s3\.([^.]{1,63})\.backblazeb2\.com$/);
    return match2 != null ? ["s3", match2[1] || ""] : ["", ""];
  }
  const match = hostname.replace("dualstack.", "").match(/([^.]{1,63})\.(?:([^.]{0,63})\.)?amazonaws\.com(?:\.cn)?$/);
  let service = match && match[1] || "";
  let region = match && match[2];
  if (region === "us-gov") {
    region = "us-gov-west-1";
  } else if (region === "s3" || region === "s3-accelerate") {
    region = "us-east-1";
    service = "s3";
  } else if (service === "iot") {
    if (hostname.startsWith("iot.")) {
      service = "execute-api";
    } else if (hostname.startsWith("data.jobs.iot.")) {
      service = "iot-jobs-data";
    } else {
      service = pathname === "/mqtt" ? "iotdevicegateway" : "iotdata";
    }
  } else if (service === "autoscaling") {
    const targetPrefix = (headers.get("X-Amz-Target") || "").split(".")[0];
    if (targetPrefix === "AnyScaleFrontendService") {
      service = "application-autoscaling";
    } else if (targetPrefix === "AnyScaleScalingPlannerFrontendService") {
      service = "autoscaling-plans";
    }
  } else if (region == null && service.startsWith("s3-")) {
    region = service.slice(3).replace(/^fips-|^external-1/, "");
    service = "s3";
  } else if (service.endsWith("-fips")) {
    service = service.slice(0, -5);
  } else if (region && /-\d$/.test(service) && !/-\d$/.test(region)) {
    [service, region] = [region, service];
  }
  return [HOST_SERVICES[service] || service, region || ""];
}

// src/signed_calls.ts
var SOON = 12e4;
var LONGEST = 15e3;
var AGAIN = "Sign in again. Your entries on this page stay.";
function signedCalls(hosted2, person2) {
  let held3 = null;
  function clientOf(session) {
    if (held3?.token !== session.token || held3.renewal < Date.now()) {
      const given = newCredentials(hosted2, session);
      const fresh = { token: session.token, client: given.then(({ client }) => client), renewal: Infinity };
      given.then(
        ({ until }) => {
          fresh.renewal = until - SOON;
        },
        () => {
          fresh.renewal = 0;
        }
      );
      held3 = fresh;
    }
    return held3.client;
  }
  function addressOf2(path) {
    const address = new URL(hosted2.api + path);
    if (address.pathname === new URL(hosted2.api).pathname + path.split("?")[0]) return address.href;
    throw new Refusal("unknown_path", "The queue's API does not have this path.", "Correct the address of the page.");
  }
  return async (method, path, body, signal2) => {
    const session = currentSession();
    if (!session) throw new Refusal("signed_out", "Your session has ended.", AGAIN);
    if (session.person !== person2)
      throw new Refusal("other_person", "Another person has signed in.", "Reload the page to continue as that person.");
    const address = addressOf2(path);
    const client = await clientOf(session);
    const datetime = new Date(Date.now() + session.ahead).toISOString().replace(/[:-]|\.\d{3}/g, "");
    const headers = { "Content-Type": "application/json" };
    const request = await client.sign(address, { method, headers, body, aws: { datetime } });
    return fetch(request, { signal: signal2, credentials: "omit", redirect: "error", cache: "no-store" });
  };
}
async function newCredentials(hosted2, session) {
  const logins = { [hosted2.user_pool]: session.token };
  const { IdentityId } = await ask(hosted2, session, "GetId", { IdentityPoolId: hosted2.identity_pool, Logins: logins });
  const { Credentials: given } = await ask(hosted2, session, "GetCredentialsForIdentity", {
    IdentityId,
    Logins: logins
  });
  const client = new AwsClient({
    accessKeyId: given.AccessKeyId,
    secretAccessKey: given.SecretKey,
    sessionToken: given.SessionToken,
    service: "execute-api",
    region: hosted2.region
  });
  return { client, until: given.Expiration * 1e3 - session.ahead };
}
async function ask(hosted2, session, action, body) {
  const answer2 = await fetch(hosted2.identities, {
    method: "POST",
    headers: { "Content-Type": "application/x-amz-json-1.1", "X-Amz-Target": `AWSCognitoIdentityService.${action}` },
    body: JSON.stringify(body),
    credentials: "omit",
    redirect: "error",
    signal: AbortSignal.timeout(LONGEST)
  });
  const content = await answer2.json();
  if (answer2.ok) return content;
  if (!String(content.__type).endsWith("NotAuthorizedException"))
    throw new Refusal("no_credentials", content.message ?? "Cognito gave no credentials.", "Try again.");
  if (currentSession()?.token === session.token) endSession();
  throw new Refusal("signed_out", "Your session has ended.", AGAIN);
}

// src/hosting.ts
async function beginHosted(hosted2) {
  try {
    await finishSigningIn(hosted2);
  } catch (cause) {
    return { shows: "signed-out", problem: cause instanceof Error ? cause.message : String(cause) };
  }
  const person2 = currentSession()?.person;
  if (person2) {
    callThrough(directCalls(signedCalls(hosted2, person2)));
    return { shows: "page", signedIn: { hosted: hosted2, person: person2 } };
  }
  const problem = errorWithoutState();
  if (problem || new URL(location.href).searchParams.has("signed-out")) return { shows: "signed-out", problem };
  await signIn(hosted2);
  return { shows: "nothing" };
}

// src/narrow.ts
var TELEPHONE = matchMedia("(max-width: 640px)");
var LAPTOP = matchMedia("(max-width: 1300px)");
function useNarrow() {
  return useMatch(TELEPHONE);
}
function useReasonBelow() {
  return useMatch(LAPTOP);
}
function useMatch(query2) {
  const [matches, setMatches] = d2(query2.matches);
  A2(() => {
    const follow2 = () => setMatches(query2.matches);
    query2.addEventListener("change", follow2);
    return () => query2.removeEventListener("change", follow2);
  }, [query2]);
  return matches;
}

// src/job_table.tsx
var LINE2 = 30;
var LINE_AND_REASON = 52;
var CARD = 121;
var MARGIN2 = 8;
function focusList() {
  const current = document.querySelector(".table-frame tbody [tabindex='0']");
  current?.focus();
  return current !== null;
}
function JobTable(props) {
  const { jobs, selection } = props;
  const ROW = useRowHeight(props.columns);
  const frame = T2(null);
  const [sight, setSight] = d2({ first: 0, last: 40 });
  const [active, setActive] = d2(0);
  const wantsFocus = T2(false);
  const current = Math.min(active, jobs.length - 1);
  function look() {
    const box = frame.current;
    if (!box) return;
    const first = Math.max(0, Math.floor(box.scrollTop / ROW) - MARGIN2);
    const last = Math.ceil((box.scrollTop + box.clientHeight) / ROW) + MARGIN2;
    if (first !== sight.first || last !== sight.last) setSight({ first, last });
  }
  function followFocus() {
    const focused = frame.current?.querySelector("[data-row]:focus-within");
    if (focused && !wantsFocus.current) setActive(Number(focused.dataset.row));
  }
  F2(look);
  A2(() => props.onSight(sight.first, sight.last), [sight.first, sight.last, jobs.length]);
  F2(followFocus);
  F2(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    frame.current?.querySelector(`[data-row="${current}"] input`)?.focus();
  });
  function move(to) {
    const row = Math.max(0, Math.min(jobs.length - 1, to));
    const box = frame.current;
    if (box) {
      const top = row * ROW;
      const head = LINE2;
      if (top < box.scrollTop) box.scrollTop = top;
      if (top + ROW + head > box.scrollTop + box.clientHeight) box.scrollTop = top + ROW + head - box.clientHeight;
    }
    wantsFocus.current = true;
    setActive(row);
    look();
  }
  function onKeyDown(event) {
    const job = jobs[current];
    if (!job || event.ctrlKey || event.metaKey || event.altKey) return;
    const perPage = Math.max(1, Math.floor((frame.current?.clientHeight ?? ROW) / ROW) - 2);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: perPage, PageUp: -perPage }[event.key];
    if (step) move(current + step);
    else if (event.key === "Home") move(0);
    else if (event.key === "End") move(jobs.length - 1);
    else if (event.key === "Enter") location.hash = linkTo(job.name);
    else if (!props.onKey(event.key, job)) return;
    event.preventDefault();
  }
  const shown = jobs.slice(sight.first, sight.last);
  const below = jobs.length - sight.first - shown.length;
  const areAllSelected = jobs.length > 0 && jobs.every((job) => selection.names.has(job.name));
  return /* @__PURE__ */ a3("section", { class: "table-frame", "aria-label": "List of jobs", ref: frame, onScroll: look, onKeyDown, children: [
    /* @__PURE__ */ a3(
      "table",
      {
        class: props.columns.length > USUAL.length ? "all-columns" : "",
        "aria-rowcount": props.hasMore ? -1 : jobs.length + 1,
        "aria-describedby": "table-keys",
        children: [
          /* @__PURE__ */ a3("caption", { class: "unseen", children: props.sort ? `Jobs by ${props.sort.replace("-", "")}` : "Jobs: live ones, then waiting ones in queue order, then ended ones" }),
          /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { "aria-rowindex": 1, children: [
            /* @__PURE__ */ a3("th", { scope: "col", class: "pick", children: [
              /* @__PURE__ */ a3(
                "input",
                {
                  type: "checkbox",
                  "aria-label": "Select all loaded jobs",
                  checked: areAllSelected,
                  onChange: () => selection.all(areAllSelected ? [] : jobs.map((job) => job.name))
                }
              ),
              /* @__PURE__ */ a3("span", { class: "on-cards", "aria-hidden": "true", children: [
                " ",
                "all loaded jobs"
              ] })
            ] }),
            props.columns.map((key) => /* @__PURE__ */ a3(Head, { name: key, sort: props.sort, onSort: props.onSort }, key))
          ] }) }),
          /* @__PURE__ */ a3("tbody", { children: [
            sight.first > 0 && /* @__PURE__ */ a3(Spacer, { height: sight.first * ROW, columns: props.columns }),
            shown.map((job, index) => /* @__PURE__ */ a3(
              Row2,
              {
                job,
                row: sight.first + index,
                isActive: sight.first + index === current,
                columns: props.columns,
                explanation: props.whys.get(job.name),
                now: props.now,
                selection,
                onFocus: () => setActive(sight.first + index)
              },
              job.name
            )),
            below > 0 && /* @__PURE__ */ a3(Spacer, { height: below * ROW, columns: props.columns })
          ] })
        ]
      }
    ),
    props.hasMore && /* @__PURE__ */ a3("p", { class: "quiet more", children: props.sort ? "These are the first jobs in the queue; filter the list to sort others." : "more jobs below \u2026" })
  ] });
}
function useRowHeight(columns) {
  const isReasonBelow = useReasonBelow() && columns.includes("why");
  if (useNarrow()) return CARD;
  return isReasonBelow ? LINE_AND_REASON : LINE2;
}
function Head({ name, sort, onSort }) {
  const column = COLUMNS[name];
  if (!column) return null;
  const className = `${column.className.replace("quiet", "")} ${column.isNumber ? "number" : ""}`;
  if (!column.order) {
    return /* @__PURE__ */ a3("th", { scope: "col", class: className, children: column.label });
  }
  const next = { [name]: `-${name}`, [`-${name}`]: "" }[sort] ?? name;
  const direction = { [name]: "ascending", [`-${name}`]: "descending" }[sort];
  return /* @__PURE__ */ a3("th", { scope: "col", class: className, "aria-sort": direction, children: /* @__PURE__ */ a3("button", { type: "button", class: "sort", tabIndex: -1, onClick: () => onSort(next), children: column.label }) });
}
function Spacer({ height, columns }) {
  return /* @__PURE__ */ a3("tr", { class: "spacer", style: { height: `${height}px` }, children: /* @__PURE__ */ a3("td", { colSpan: columns.length + 1 }) });
}
function Row2(props) {
  const { job, explanation, now, selection } = props;
  const tabIndex = props.isActive ? 0 : -1;
  return /* @__PURE__ */ a3(
    "tr",
    {
      "aria-rowindex": props.row + 2,
      "data-row": props.row,
      class: `${selection.names.has(job.name) ? "selected" : ""} ${ENDED.has(job.state) ? "past" : ""}`,
      onFocusCapture: props.onFocus,
      children: [
        /* @__PURE__ */ a3("td", { class: "pick", children: /* @__PURE__ */ a3(
          "input",
          {
            type: "checkbox",
            tabIndex,
            "aria-label": `Select ${job.name}`,
            checked: selection.names.has(job.name),
            onChange: () => selection.toggle(job.name)
          }
        ) }),
        props.columns.map(
          (key) => key === "name" ? /* @__PURE__ */ a3("th", { scope: "row", children: /* @__PURE__ */ a3("a", { href: linkTo(job.name), tabIndex, children: job.name }) }, key) : /* @__PURE__ */ a3(Cell, { name: key, job, now, explanation }, key)
        )
      ]
    }
  );
}
function Cell(props) {
  const column = COLUMNS[props.name];
  if (!column) return null;
  return /* @__PURE__ */ a3(
    "td",
    {
      class: `${column.className} ${column.isNumber ? "number" : ""}`,
      "data-label": column.onCard,
      title: column.title?.(props.job, props.now),
      children: column.cell(props.job, props.now, props.explanation)
    }
  );
}

// src/late.tsx
function Updated() {
  const now = useClock();
  const last = oldest();
  if (!last) return null;
  const age = ageOf(last, now);
  const first = age < LATE ? "updating \u2026" : `no answer for ${span(age)}`;
  const said2 = last.hasAnswered ? `updated ${span(age)} ago` : first;
  return /* @__PURE__ */ a3("span", { class: `updated ${age >= LATE ? "late" : "quiet"}`, children: said2 });
}
function Hung() {
  const now = useClock();
  const last = oldestUnrefused();
  if (!last || ageOf(last, now) < HUNG) return null;
  return /* @__PURE__ */ a3("p", { class: "trouble late", role: "alert", children: [
    /* @__PURE__ */ a3("strong", { children: [
      "The queue has not answered for ",
      span(ageOf(last, now)),
      "."
    ] }),
    " ",
    last.hasAnswered && `This view is of ${clock(last.updated, now)}.  `,
    "The page keeps asking. If this lasts, check your network, and `sagequeue doctor`."
  ] });
}

// src/notes.tsx
var SECONDS = 12;
function useNotes() {
  const [all, setAll] = d2([]);
  const count = T2(0);
  const drop = b((id) => setAll((notes) => notes.filter((note) => note.id !== id)), []);
  const add = b(
    (note) => {
      const id = ++count.current;
      setAll((notes) => [...notes.slice(-3), { ...note, id }]);
      if (!note.isBad) setTimeout(() => drop(id), SECONDS * 1e3);
    },
    [drop]
  );
  const tell = b(
    (text, way = null) => add({ text, remedy: "", isBad: false, way }),
    [add]
  );
  const refuse = b(
    (what, cause) => {
      const remedy = cause instanceof Refusal ? cause.remedy : "";
      const message = cause instanceof Error ? cause.message : String(cause);
      add({ text: `${what}: ${message}`, remedy, isBad: true, way: null });
    },
    [add]
  );
  return { all, tell, refuse, drop };
}
function NoteList({ notes }) {
  return /* @__PURE__ */ a3("div", { class: "notes", role: "log", "aria-label": "Notifications", children: notes.all.map((note) => /* @__PURE__ */ a3("div", { class: `note ${note.isBad ? "bad" : ""}`, role: note.isBad ? "alert" : "status", children: [
    /* @__PURE__ */ a3("p", { children: [
      note.text,
      note.remedy && /* @__PURE__ */ a3("span", { class: "quiet", children: [
        " ",
        note.remedy
      ] })
    ] }),
    note.way && /* @__PURE__ */ a3(
      "button",
      {
        type: "button",
        onClick: () => {
          note.way?.take();
          notes.drop(note.id);
        },
        children: note.way.label
      }
    ),
    /* @__PURE__ */ a3("button", { type: "button", class: "plain", "aria-label": "Dismiss", onClick: () => notes.drop(note.id), children: "\xD7" })
  ] }, note.id)) });
}

// src/own_jobs.ts
var TOLD = /* @__PURE__ */ new Set(["running", "preempted", "parked", "completed", "failed", "stopped"]);
var WATCHED = ["launching", "stopping", ...TOLD];
function changedJobs(known2, jobs) {
  if (!known2) return [];
  const isNew = (job) => {
    const before = known2.states.get(job.name);
    return before ? before !== job.state : job.updated_at > known2.latest;
  };
  return jobs.filter((job) => TOLD.has(job.state) && isNew(job));
}
function knownOf(jobs, before) {
  const times = [before?.latest ?? "", ...jobs.map((job) => job.updated_at)];
  return {
    states: new Map(jobs.map((job) => [job.name, job.state])),
    latest: times.sort().at(-1) ?? ""
  };
}

// src/notifier.ts
var KEY3 = "notify";
var EVERY3 = 3e4;
function useNotifier(notes) {
  const [isOn, setOn] = d2(() => localStorage.getItem(KEY3) === "on" && isAllowed());
  A2(() => {
    if (!isOn) return;
    let known2 = null;
    let timer = 0;
    let isOver = false;
    async function look() {
      try {
        const { jobs } = await read("jobs", { mine: "true", state: WATCHED.join() });
        if (isOver) return;
        for (const job of changedJobs(known2, jobs)) show(job);
        known2 = knownOf(jobs, known2);
      } catch {
      }
      if (!isOver) timer = window.setTimeout(look, EVERY3);
    }
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isOn]);
  async function toggle() {
    const wanted = !isOn && await isAllowedByUser();
    if (!isOn && !wanted)
      notes.tell("The browser does not allow notifications from this page: change it in its settings.");
    localStorage.setItem(KEY3, wanted ? "on" : "off");
    setOn(wanted);
  }
  return { isOn, toggle };
}
function isAllowed() {
  return "Notification" in window && Notification.permission === "granted";
}
async function isAllowedByUser() {
  if (!("Notification" in window)) return false;
  return await Notification.requestPermission() === "granted";
}
function show(job) {
  const tag = `${job.name} ${job.state}`;
  const shown = new Notification(`${job.name}: ${job.state}`, { body: why(job, Date.now()), tag });
  shown.onclick = () => {
    window.focus();
    location.hash = linkTo(job.name);
  };
}

// src/arrays_section.tsx
var PARTS = {
  completed: "done",
  running: "running",
  waiting: "waiting",
  held_or_parked: "on hold or parked",
  failed: "failed",
  stopped: "stopped",
  not_created: "to come"
};
function ArraysSection(props) {
  if (!props.arrays.length) return null;
  return /* @__PURE__ */ a3("section", { class: "arrays", "aria-labelledby": "arrays-title", children: [
    /* @__PURE__ */ a3("header", { class: "section-head", children: /* @__PURE__ */ a3("h2", { id: "arrays-title", children: "Arrays" }) }),
    /* @__PURE__ */ a3("table", { class: "cards wide", children: [
      /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
        /* @__PURE__ */ a3("th", { scope: "col", children: "Array" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "State" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Ended jobs" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Progress" }),
        /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Priority" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Owner" }),
        /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Age" })
      ] }) }),
      /* @__PURE__ */ a3("tbody", { children: props.arrays.map((array) => /* @__PURE__ */ a3(
        Row3,
        {
          array,
          isOpen: array.name === props.open,
          onOpen: props.onOpen,
          now: props.now
        },
        array.name
      )) })
    ] })
  ] });
}
function Row3(props) {
  const { array, isOpen } = props;
  return /* @__PURE__ */ a3("tr", { children: [
    /* @__PURE__ */ a3("th", { scope: "row", children: /* @__PURE__ */ a3(
      "button",
      {
        type: "button",
        class: "plain link",
        "aria-expanded": isOpen,
        onClick: () => props.onOpen(isOpen ? "" : array.name),
        children: [
          /* @__PURE__ */ a3("span", { "aria-hidden": "true", children: isOpen ? "\u25BE" : "\u25B8" }),
          " ",
          array.name
        ]
      }
    ) }),
    /* @__PURE__ */ a3("td", { title: array.problem ?? void 0, children: array.problem ? `${array.state}, with a problem` : array.state }),
    /* @__PURE__ */ a3("td", { "data-label": "ended", children: /* @__PURE__ */ a3("progress", { max: array.size, value: ended(array.progress), "aria-label": `Ended jobs of ${array.name}` }) }),
    /* @__PURE__ */ a3("td", { class: "wraps", children: progress(array) }),
    /* @__PURE__ */ a3("td", { class: "number", "data-label": "priority", children: array.priority }),
    /* @__PURE__ */ a3("td", { title: array.owner, children: person(array.owner) }),
    /* @__PURE__ */ a3("td", { class: "number quiet", "data-label": "age", children: since(array.submitted_at, props.now) })
  ] });
}
function ended(counts) {
  return counts.completed + counts.failed + counts.stopped;
}
function progress(array) {
  return Object.keys(PARTS).filter((part) => array.progress[part]).map((part) => `${array.progress[part].toLocaleString("en")} ${PARTS[part]}`).join(", ");
}

// src/downloads.ts
function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

// src/lanes.ts
function heldInstances(jobs, kind, since2) {
  return jobs.flatMap((job) => job.attempts.map((attempt) => ({ job, attempt, ...time(attempt) }))).filter((held3) => instancesOf(held3)[kind]).filter((held3) => held3.until === null || held3.until > since2 && held3.until > held3.from).sort((one, other) => one.from - other.from || one.attempt.name.localeCompare(other.attempt.name));
}
function laneBars(all, kind, limit) {
  const freeAt = new Array(limit).fill(Number.NEGATIVE_INFINITY);
  return all.flatMap((held3) => {
    const wanted = instancesOf(held3)[kind] ?? 0;
    const taken = takeLanes(freeAt, held3.from, wanted);
    for (const lane of taken) freeAt[lane] = held3.until ?? Number.POSITIVE_INFINITY;
    return runs(taken).map(([lane, height]) => ({ held: held3, lane, height }));
  });
}
function laneReservations(waiting, bars2, kind, limit) {
  const promised = /* @__PURE__ */ new Set();
  return waiting.flatMap(({ job, starts }) => {
    const wanted = job.instances[kind] ?? 0;
    if (!starts?.earliest || !wanted) return [];
    const live = bars2.filter((bar) => bar.held.until === null);
    const held3 = new Set(live.flatMap(lanesOf));
    const first = live.filter((bar) => bar.held.job.name === starts.after).flatMap(lanesOf);
    const all = Array.from({ length: limit }, (_4, lane) => lane);
    const order = [...first, ...all.filter((lane) => !held3.has(lane)), ...all];
    const lanes = [...new Set(order)].filter((lane) => !promised.has(lane)).slice(0, wanted);
    for (const lane of lanes) promised.add(lane);
    return runs(lanes.sort((one, other) => one - other)).map(([lane, height]) => ({ job, lane, height, starts }));
  });
}
var KEEPS_INSTANCES = /* @__PURE__ */ new Set([
  "waits_for_budget",
  "waits_to_preempt",
  "waits_for_stopping",
  "waits_for_preemption",
  "waits_for_calendar",
  "team_ceiling",
  "reserved_for_team"
]);
function keepsInstances(job) {
  return KEEPS_INSTANCES.has(job.reason.code);
}
function latestEnd(held3) {
  return Date.parse(held3.attempt.training_started_at ?? held3.attempt.reserved_at) + held3.job.max_runtime * 1e3;
}
function fittingSpan(jobs, now) {
  const starts = jobs.filter((job) => LIVE.has(job.state)).map((job) => job.attempts.at(-1)?.reserved_at);
  const longest = Math.max(0, ...starts.map((start2) => start2 ? now - Date.parse(start2) : 0));
  return SPANS.find((one) => one >= longest * 1.15) ?? SPANS.at(-1);
}
var MINUTE2 = 6e4;
var SPANS = [1, 2, 5, 10, 20, 40, 90, 180, 360, 720, 1440, 2880, 5760, 10080].map(
  (minutes) => minutes * MINUTE2
);
function instancesOf({ job, attempt }) {
  return attempt.selected ?? job.choices[attempt.choice]?.instances ?? job.instances;
}
function time(attempt) {
  return {
    from: Date.parse(attempt.reserved_at),
    until: attempt.outcome === null ? null : Date.parse(attempt.ended_at ?? attempt.reserved_at)
  };
}
function takeLanes(freeAt, from, wanted) {
  const free2 = freeAt.flatMap((at, lane) => at <= from ? [lane] : []);
  const side = free2.find((lane) => free2.includes(lane + wanted - 1) && rangeIsFree(freeAt, lane, wanted, from));
  if (side !== void 0) return Array.from({ length: wanted }, (_4, index) => side + index);
  const beyond = Array.from({ length: Math.max(0, wanted - free2.length) }, (_4, index) => freeAt.length + index);
  return [...free2.slice(0, wanted), ...beyond];
}
function rangeIsFree(freeAt, lane, wanted, from) {
  return freeAt.slice(lane, lane + wanted).every((at) => at <= from);
}
function runs(lanes) {
  const found = [];
  for (const lane of lanes) {
    const last = found.at(-1);
    if (last && last[0] + last[1] === lane) last[1] += 1;
    else found.push([lane, 1]);
  }
  return found;
}
function lanesOf(bar) {
  return Array.from({ length: bar.height }, (_4, index) => bar.lane + index);
}

// src/lane_chart.tsx
var SOME = 0.4;
var TALL = 26;
var FLAT = 11;
var isWithin = (left) => left > 2 && left < 97;
var NARROW = 0.06;
var MINUTE3 = 6e4;
var STEPS = [0.25, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 1440, 2880].map((minutes) => minutes * MINUTE3);
function LaneChart(props) {
  const [chosen2, setChosen] = d2(0);
  const [isOpen, setOpen] = d2(!useNarrow());
  const bars2 = useOneTabStop("a.bar");
  const past = chosen2 || fittingSpan(props.jobs, props.now);
  const future = Math.max(past * SOME, Math.min(past, untilFirstReserved(props) * 1.25));
  const axis = { now: props.now, from: props.now - past, until: props.now + future };
  return /* @__PURE__ */ a3("section", { class: "lanes", "aria-labelledby": "lanes-title", ...bars2, children: [
    /* @__PURE__ */ a3("header", { class: "section-head", children: [
      /* @__PURE__ */ a3("h2", { id: "lanes-title", children: "Instances" }),
      isOpen && /* @__PURE__ */ a3(Legend2, {}),
      /* @__PURE__ */ a3("span", { class: "grow" }),
      isOpen && /* @__PURE__ */ a3("label", { class: "quiet", children: [
        "last",
        " ",
        /* @__PURE__ */ a3("select", { value: chosen2, onChange: (event) => setChosen(Number(event.currentTarget.value)), children: [
          /* @__PURE__ */ a3("option", { value: 0, children: "as long as live jobs" }),
          SPANS.map((one) => /* @__PURE__ */ a3("option", { value: one, children: span(one) }, one))
        ] })
      ] }),
      /* @__PURE__ */ a3("button", { type: "button", "aria-expanded": isOpen, onClick: () => setOpen(!isOpen), children: isOpen ? "Hide lanes" : "Show lanes" })
    ] }),
    Object.entries(props.budget).map(([kind, line]) => /* @__PURE__ */ a3(Lanes, { kind, line, axis, jobs: props.jobs, whys: props.whys, isOpen }, kind)),
    isOpen && /* @__PURE__ */ a3(Ticks, { axis })
  ] });
}
function Legend2() {
  return /* @__PURE__ */ a3("ul", { class: "legend", "aria-label": "Legend", children: [
    /* @__PURE__ */ a3("li", { class: "launching", children: "starting" }),
    /* @__PURE__ */ a3("li", { class: "running", children: "running" }),
    /* @__PURE__ */ a3("li", { class: "stopping", children: "stopping" }),
    /* @__PURE__ */ a3("li", { class: "reserved", children: "reserved" }),
    /* @__PURE__ */ a3("li", { class: "ended", children: "ended" })
  ] });
}
function Lanes(props) {
  const { kind, line, axis } = props;
  const bars2 = laneBars(heldInstances(props.jobs, kind, axis.from), kind, line.limit);
  const waiting = props.jobs.filter(keepsInstances).map((job) => ({ job, starts: props.whys.get(job.name)?.starts ?? null }));
  const reserved = laneReservations(waiting, bars2, kind, line.limit);
  const count = Math.max(line.limit, ...bars2.map((bar) => bar.lane + bar.height));
  const height = count > 24 ? FLAT : TALL;
  const others = line.held - heldByJobs(props.jobs, kind);
  return /* @__PURE__ */ a3("div", { class: "lane-group", children: [
    /* @__PURE__ */ a3("div", { class: "lane-label", children: [
      /* @__PURE__ */ a3("strong", { children: kind }),
      /* @__PURE__ */ a3("span", { class: "quiet", children: [
        line.held,
        " of ",
        line.limit,
        " held",
        line.free ? `, ${line.free} free` : ""
      ] }),
      others > 0 && /* @__PURE__ */ a3("span", { class: "quiet", children: [
        others,
        " by warm pools or other training jobs"
      ] })
    ] }),
    props.isOpen && /* @__PURE__ */ a3(
      "ul",
      {
        class: `lane-field ${height === FLAT ? "flat" : ""}`,
        "aria-label": `${kind}: ${line.held} of ${line.limit} held`,
        style: { height: `${Math.max(count, 1) * height}px`, "--lane": `${height}px` },
        children: [
          bars2.map((bar) => /* @__PURE__ */ a3(AttemptBar, { bar, axis, height }, `${bar.held.attempt.name} ${bar.lane}`)),
          reserved.map((one) => /* @__PURE__ */ a3(ReservedBar, { reserved: one, axis, height }, `${one.job.name} ${one.lane}`)),
          /* @__PURE__ */ a3("li", { class: "now-line", "aria-hidden": "true", style: { left: place(axis.now, axis) } })
        ]
      }
    )
  ] });
}
function AttemptBar({ bar, axis, height }) {
  const { job, attempt, from, until } = bar.held;
  const kind = until === null ? job.state : `ended ${attempt.outcome}`;
  const ran = until === null ? `${job.state} for ${span(axis.now - from)}` : `${attempt.outcome} after ${span(until - from)}`;
  const limit = until === null ? `, until ${clock(latestEnd(bar.held), axis.now)} at the latest` : "";
  const said2 = `${job.name}, attempt ${attempt.number}: ${ran}${limit}`;
  const position = { top: `${bar.lane * height + 1}px`, height: `${bar.height * height - 2}px` };
  return /* @__PURE__ */ a3("li", { children: [
    until === null && /* @__PURE__ */ a3(
      "span",
      {
        class: "outlook",
        "aria-hidden": "true",
        style: { ...position, ...extent(axis.now, Math.max(axis.now, latestEnd(bar.held)), axis) }
      }
    ),
    /* @__PURE__ */ a3(
      "a",
      {
        class: `bar ${kind}`,
        href: linkTo(job.name),
        title: said2,
        "aria-label": said2,
        style: { ...position, ...extent(from, until ?? axis.now, axis) },
        children: height === TALL && /* @__PURE__ */ a3("span", { children: [
          job.name,
          attempt.number > 1 && /* @__PURE__ */ a3("small", { children: [
            " attempt ",
            attempt.number
          ] })
        ] })
      }
    )
  ] });
}
function ReservedBar({ reserved, axis, height }) {
  const { job, starts } = reserved;
  const at = Math.max(axis.now, Date.parse(starts.earliest ?? ""));
  const isBeyond = at > axis.until - (axis.until - axis.from) * NARROW;
  const when = start(starts, axis.now);
  const said2 = `${job.name} ${when}: reserved`;
  const position = { top: `${reserved.lane * height + 1}px`, height: `${reserved.height * height - 2}px` };
  return /* @__PURE__ */ a3("li", { children: /* @__PURE__ */ a3(
    "a",
    {
      class: `bar reserved ${isBeyond ? "beyond" : ""}`,
      href: linkTo(job.name),
      title: said2,
      "aria-label": said2,
      style: { ...position, ...isBeyond ? { right: "0" } : extent(at, axis.until, axis) },
      children: height === TALL && /* @__PURE__ */ a3("span", { children: isBeyond ? `${job.name} ${when}` : job.name })
    }
  ) });
}
function Ticks({ axis }) {
  const step = STEPS.find((one) => one >= (axis.until - axis.from) / 7) ?? STEPS.at(-1);
  const first = Math.ceil((axis.from - axis.now) / step);
  const count = Math.floor((axis.until - axis.now) / step) - first + 1;
  const ticks2 = Array.from({ length: count }, (_4, index) => (first + index) * step).filter(
    (ahead2) => ahead2 !== 0 && isWithin(share3(axis.now + ahead2, axis))
  );
  return /* @__PURE__ */ a3("div", { class: "ticks", "aria-hidden": "true", children: [
    ticks2.map((ahead2) => /* @__PURE__ */ a3("span", { style: { left: place(axis.now + ahead2, axis) }, children: ahead2 < 0 ? `\u2212${span(-ahead2)}` : `+${span(ahead2)}` }, ahead2)),
    /* @__PURE__ */ a3("span", { class: "now", style: { left: place(axis.now, axis) }, children: "now" })
  ] });
}
function heldByJobs(jobs, kind) {
  const live = jobs.filter((job) => job.attempts.at(-1)?.outcome === null);
  return live.reduce((sum2, job) => sum2 + (job.instances[kind] ?? 0), 0);
}
function untilFirstReserved({ jobs, whys, now }) {
  const starts = jobs.filter(keepsInstances).map((job) => Date.parse(whys.get(job.name)?.starts?.earliest ?? ""));
  const ahead2 = starts.map((at) => at - now).filter((span2) => span2 > 0);
  return ahead2.length ? Math.min(...ahead2) : 0;
}
function extent(from, until, axis) {
  const [left, right] = [share3(Math.max(from, axis.from), axis), share3(Math.min(until, axis.until), axis)];
  return { left: `${left}%`, width: `max(3px, ${right - left}%)` };
}
function place(at, axis) {
  return `${share3(at, axis)}%`;
}
function share3(at, axis) {
  return (at - axis.from) / (axis.until - axis.from) * 100;
}

// src/listing.ts
var PAGE2 = 200;
var MOST_PAGES = 50;
var NONE = [];
function useJobs(filter, isWhole) {
  const about = JSON.stringify(filter);
  const sight = T2({ first: 0, last: 0 });
  const turn = T2(0);
  function inSight() {
    if (!isWhole) return sight.current;
    const first = ++turn.current % Math.max(1, known2.length) * PAGE2;
    return { first, last: first };
  }
  async function load() {
    return { about, pages: await readPages(filter, known2, inSight(), isWhole ? MOST_PAGES : 0) };
  }
  const { value, error, look } = usePolled(load, about);
  const known2 = value?.about === about ? value.pages : NONE;
  const jobs = w2(() => known2.length ? withoutDoubles(known2) : null, [known2]);
  const hasMore = Boolean(known2.at(-1)?.next);
  A2(() => {
    if (isWhole) look();
  }, [isWhole]);
  function show2(first, last) {
    sight.current = { first, last };
    if (jobs && hasMore && !isWhole && last >= jobs.length - 1) look();
  }
  return { jobs, hasMore, error, look, show: show2 };
}
async function readAll(filter) {
  return withoutDoubles(await readPages(filter, NONE, { first: 0, last: 0 }, MOST_PAGES));
}
async function readPages(filter, known2, sight, least) {
  const query2 = { ...filter };
  const fresh = [await read("jobs", query2)];
  const wanted = Math.floor(sight.last / PAGE2) + 1;
  for (let index = 1; index < Math.max(known2.length, wanted + 1, least); index++) {
    const token = fresh[index - 1]?.next;
    if (!token) break;
    const isInSight = index >= Math.floor(sight.first / PAGE2) && index <= wanted;
    const old = known2[index];
    fresh.push(old && !isInSight ? old : await read("jobs", { ...query2, next: token }));
  }
  return fresh;
}
function withoutDoubles(pages) {
  const byName = /* @__PURE__ */ new Map();
  for (const page of pages) {
    for (const job of page.jobs) if (!byName.has(job.name)) byName.set(job.name, job);
  }
  return [...byName.values()];
}

// src/searching.ts
var WORD = /(?:^|\s)(team|owner):(\S+)/g;
function searched(text) {
  const found = { team: "", owner: "" };
  for (const [, word, value] of text.matchAll(WORD)) found[word] = value ?? "";
  return { name: text.replaceAll(WORD, "").trim(), ...found };
}

// src/saved_views.ts
var KEY4 = "views";
function savedViews() {
  return JSON.parse(localStorage.getItem(KEY4) ?? "[]");
}
function keepView(name, address) {
  return store([...savedViews().filter((view) => view.name !== name), { name, address }]);
}
function dropView(name) {
  return store(savedViews().filter((view) => view.name !== name));
}
function store(views) {
  localStorage.setItem(KEY4, JSON.stringify(views));
  return views;
}

// src/view_menu.tsx
var MENU = "view-menu";
function ViewMenu({ notifier, columns, sort, onColumns, onSort, onFile }) {
  const [isBusy, setBusy] = d2(false);
  function choose(key, isChosen) {
    const chosen2 = Object.keys(COLUMNS).filter((one) => one === key ? isChosen : columns.includes(one));
    onColumns(chosen2.join() === USUAL.join() ? "" : chosen2.join());
  }
  async function save() {
    setBusy(true);
    await onFile();
    setBusy(false);
  }
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("button", { type: "button", popovertarget: MENU, children: "View\u2026" }),
    /* @__PURE__ */ a3("div", { id: MENU, popover: "auto", class: "menu", role: "group", "aria-label": "View of the list", children: [
      /* @__PURE__ */ a3("label", { children: [
        "Sort by",
        " ",
        /* @__PURE__ */ a3("select", { value: sort, onChange: (event) => onSort(event.currentTarget.value), children: [
          /* @__PURE__ */ a3("option", { value: "", children: "order of the queue" }),
          Object.entries(COLUMNS).flatMap(
            ([key, { label, order }]) => order ? [
              /* @__PURE__ */ a3("option", { value: key, children: [
                label,
                " \u2191"
              ] }, key),
              /* @__PURE__ */ a3("option", { value: `-${key}`, children: [
                label,
                " \u2193"
              ] }, `-${key}`)
            ] : []
          )
        ] })
      ] }),
      /* @__PURE__ */ a3("fieldset", { children: [
        /* @__PURE__ */ a3("legend", { children: "Columns" }),
        Object.entries(COLUMNS).map(([key, { label }]) => /* @__PURE__ */ a3("label", { children: [
          /* @__PURE__ */ a3(
            "input",
            {
              type: "checkbox",
              checked: columns.includes(key),
              disabled: key === "name",
              onChange: (event) => choose(key, event.currentTarget.checked)
            }
          ),
          " ",
          label === "#" ? "Position" : label
        ] }, key))
      ] }),
      /* @__PURE__ */ a3(SavedViews, {}),
      /* @__PURE__ */ a3("label", { class: "menu-row", children: [
        /* @__PURE__ */ a3("input", { type: "checkbox", checked: notifier.isOn, onChange: () => void notifier.toggle() }),
        " Desktop notifications about my jobs"
      ] }),
      /* @__PURE__ */ a3("div", { class: "answers", children: [
        /* @__PURE__ */ a3("button", { type: "button", "aria-busy": isBusy, onClick: () => void save(), children: "Download as CSV" }),
        /* @__PURE__ */ a3("button", { type: "button", popovertarget: MENU, popovertargetaction: "hide", children: "Close" })
      ] })
    ] })
  ] });
}
function SavedViews() {
  const [views, setViews] = d2(savedViews);
  const [name, setName] = d2("");
  function save() {
    if (!name.trim()) return;
    setViews(keepView(name.trim(), location.hash));
    setName("");
  }
  return /* @__PURE__ */ a3("fieldset", { children: [
    /* @__PURE__ */ a3("legend", { children: "Saved views" }),
    views.map((view) => /* @__PURE__ */ a3("span", { class: "saved-view", children: [
      /* @__PURE__ */ a3("a", { class: "link", href: view.address, children: view.name }),
      /* @__PURE__ */ a3("button", { type: "button", class: "plain", onClick: () => setViews(dropView(view.name)), children: [
        "\xD7",
        /* @__PURE__ */ a3("span", { class: "unseen", children: [
          " Forget ",
          view.name
        ] })
      ] })
    ] }, view.name)),
    /* @__PURE__ */ a3("span", { class: "field-row", children: [
      /* @__PURE__ */ a3(
        "input",
        {
          type: "text",
          "aria-label": "Name of this view",
          placeholder: "Name of this view",
          maxLength: 60,
          value: name,
          onInput: (event) => setName(event.currentTarget.value)
        }
      ),
      /* @__PURE__ */ a3("button", { type: "button", onClick: save, children: "Save" })
    ] })
  ] });
}

// src/whys.ts
var MOST = 8;
var FRESH = 6e4;
function useWhys(jobs) {
  const [whys, setWhys] = d2(/* @__PURE__ */ new Map());
  const asked2 = T2(/* @__PURE__ */ new Map());
  A2(() => {
    for (const job of (jobs ?? []).filter((one) => QUEUED.has(one.state)).slice(0, MOST)) {
      const place2 = `${job.position} ${job.reason.code} ${job.priority}`;
      const last = asked2.current.get(job.name);
      if (last && last.place === place2 && Date.now() - last.at < FRESH) continue;
      asked2.current.set(job.name, { place: place2, at: Date.now() });
      read(ofJob(job.name, "why")).then(
        (why2) => setWhys((before) => new Map([...before, [job.name, why2]])),
        () => asked2.current.delete(job.name)
        // the next call shows the error
      );
    }
  }, [jobs]);
  return whys;
}

// src/now_view.tsx
var OF_MANY = ["top", "priority", "hold", "release", "requeue", "cancel"];
var FILTERS = {
  "": "all jobs",
  "pending,preempted": "waiting",
  "launching,running,stopping": "running",
  "held,parked": "held or parked",
  "completed,failed,stopped": "ended"
};
function NowView({ queue, acting }) {
  const now = useNow();
  const [query2, setQuery] = useQuery();
  const chosenFilter = filterOf(query2);
  const isFiltered = Object.values(chosenFilter).some(Boolean);
  const arrays = usePolled(unfinishedArrays, "");
  const hidesChildren = !isFiltered && Boolean(arrays.value?.length);
  const filter = { ...chosenFilter, children: hidesChildren ? "false" : "" };
  const columns = columnsOf(query2.get("columns") ?? "");
  const sort = query2.get("sort") ?? "";
  const list = useJobs(filter, Boolean(sort));
  const isPart = isFiltered || hidesChildren;
  const live = usePolled(() => livePage(isPart), String(isPart));
  const [selected, setSelected] = d2(/* @__PURE__ */ new Set());
  const lookAtAll = () => {
    list.look();
    live.look();
    arrays.look();
    acting.look();
  };
  const { ask: ask2, dialog, busy } = useActing({ ...acting, look: lookAtAll });
  const jobs = w2(() => sorted(list.jobs ?? [], sort), [list.jobs, sort]);
  const whys = useWhys(list.jobs);
  const teams = Object.keys(queue?.teams ?? {});
  const chosen2 = jobs.filter((job) => selected.has(job.name));
  async function act2(verb, shown) {
    if (chosen2.length || !isFiltered) return ask2(verb, shown);
    try {
      ask2(verb, await readAll(filter), true);
    } catch (cause) {
      acting.notes.refuse(VERBS[verb].label, cause);
    }
  }
  async function saveFile() {
    try {
      const all = sorted(await readAll(filter), sort);
      download("jobs.csv", csvOf(all, columns, now));
    } catch (cause) {
      acting.notes.refuse("Download as CSV", cause);
    }
  }
  function onKey(key, job) {
    const verb = OF_MANY.find((one) => VERBS[one].key === key);
    if (verb) ask2(verb, chosen2.length ? chosen2 : [job]);
    return Boolean(verb);
  }
  function toggle(name) {
    setSelected((before) => new Set(before.has(name) ? [...before].filter((one) => one !== name) : [...before, name]));
  }
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("h1", { class: "unseen", children: "Now" }),
    queue && /* @__PURE__ */ a3(LaneChart, { budget: queue.budget, jobs: live.value?.jobs ?? jobs, whys, now }),
    /* @__PURE__ */ a3(
      ArraysSection,
      {
        arrays: arrays.value ?? [],
        open: filter.array,
        onOpen: (name) => setQuery({ array: name }),
        now
      }
    ),
    /* @__PURE__ */ a3("section", { class: "jobs", "aria-labelledby": "jobs-title", children: [
      /* @__PURE__ */ a3("header", { class: "section-head", children: [
        /* @__PURE__ */ a3("h2", { id: "jobs-title", children: filter.array ? `Jobs of ${filter.array}` : "Jobs" }),
        filter.array && /* @__PURE__ */ a3("button", { type: "button", onClick: () => setQuery({ array: "" }), children: "All jobs" }),
        /* @__PURE__ */ a3("label", { children: [
          /* @__PURE__ */ a3("span", { class: "unseen", children: "Show" }),
          /* @__PURE__ */ a3("select", { value: filter.state, onChange: (event) => setQuery({ state: event.currentTarget.value }), children: Object.entries(FILTERS).map(([state, label]) => /* @__PURE__ */ a3("option", { value: state, children: label }, state)) })
        ] }),
        /* @__PURE__ */ a3(
          "input",
          {
            type: "search",
            placeholder: "Name begins with",
            "aria-label": "Name begins with",
            title: "Also team:vision and owner:ada",
            value: query2.get("name") ?? "",
            onInput: (event) => setQuery({ name: event.currentTarget.value })
          }
        ),
        teams.length > 0 && /* @__PURE__ */ a3("label", { children: [
          /* @__PURE__ */ a3("span", { class: "unseen", children: "Team" }),
          /* @__PURE__ */ a3(
            "select",
            {
              value: query2.get("team") ?? "",
              onChange: (event) => setQuery({ team: event.currentTarget.value }),
              children: [
                /* @__PURE__ */ a3("option", { value: "", children: "all teams" }),
                teams.map((team) => /* @__PURE__ */ a3("option", { value: team, children: team }, team))
              ]
            }
          )
        ] }),
        /* @__PURE__ */ a3("label", { children: [
          /* @__PURE__ */ a3(
            "input",
            {
              type: "checkbox",
              checked: filter.mine === "true",
              onChange: (event) => setQuery({ mine: event.currentTarget.checked ? "true" : "" })
            }
          ),
          " ",
          "mine"
        ] }),
        /* @__PURE__ */ a3("span", { class: "grow" }),
        /* @__PURE__ */ a3("span", { class: "quiet", "aria-live": "polite", children: [
          chosen2.length > 0 && `${chosen2.length} selected`,
          !chosen2.length && isFiltered && jobs.length > 0 && mayControl(acting.me) && "for all that match:"
        ] }),
        /* @__PURE__ */ a3(
          ActionBar,
          {
            jobs: chosen2.length || !isFiltered ? chosen2 : jobs,
            me: acting.me,
            verbs: OF_MANY,
            busy,
            onAct: (verb, shown) => void act2(verb, shown)
          }
        ),
        /* @__PURE__ */ a3(
          ViewMenu,
          {
            notifier: acting.notifier,
            columns,
            sort,
            onColumns: (next) => setQuery({ columns: next }),
            onSort: (next) => setQuery({ sort: next }),
            onFile: saveFile
          }
        )
      ] }),
      list.error && /* @__PURE__ */ a3(Trouble, { error: list.error }),
      !jobs.length ? /* @__PURE__ */ a3("p", { class: "empty", children: list.jobs ? isFiltered ? "No jobs match." : "The queue has no jobs." : "Loading \u2026" }) : /* @__PURE__ */ a3(
        JobTable,
        {
          jobs,
          hasMore: list.hasMore,
          columns,
          sort,
          onSort: (next) => setQuery({ sort: next }),
          whys,
          now,
          selection: { names: selected, toggle, all: (names) => setSelected(new Set(names)) },
          onSight: list.show,
          onKey
        }
      ),
      /* @__PURE__ */ a3("p", { id: "table-keys", class: "quiet keys", children: [
        /* @__PURE__ */ a3("kbd", { children: "Ctrl" }),
        " ",
        /* @__PURE__ */ a3("kbd", { children: "K" }),
        " goes to any view or job. In the list: ",
        /* @__PURE__ */ a3("kbd", { children: "\u2191" }),
        " ",
        /* @__PURE__ */ a3("kbd", { children: "\u2193" }),
        " move,",
        " ",
        /* @__PURE__ */ a3("kbd", { children: "space" }),
        " selects, ",
        /* @__PURE__ */ a3("kbd", { children: "enter" }),
        " opens;",
        " ",
        OF_MANY.map((verb) => /* @__PURE__ */ a3("span", { children: [
          /* @__PURE__ */ a3("kbd", { children: VERBS[verb].key }),
          " ",
          VERBS[verb].label.replace("\u2026", "").toLowerCase(),
          " "
        ] }, verb))
      ] })
    ] }),
    dialog
  ] });
}
function filterOf(query2) {
  const { name, team, owner } = searched(query2.get("name") ?? "");
  return {
    state: query2.get("state") ?? "",
    mine: query2.get("mine") ?? "",
    name,
    owner,
    team: team || (query2.get("team") ?? ""),
    array: query2.get("array") ?? "",
    children: ""
  };
}
async function unfinishedArrays() {
  const { arrays } = await read("arrays");
  return arrays.filter((array) => array.state !== "ended");
}
async function livePage(isPart) {
  return isPart ? read("jobs") : null;
}

// src/palette.tsx
var PAUSE4 = 200;
var MOST_JOBS = 8;
var MOST_SHOWN = 14;
function Palette({ queue, me }) {
  const [isOpen, setOpen] = d2(false);
  A2(() => {
    function onKey(event) {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      if (!document.querySelector("dialog[open]")) setOpen(true);
    }
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return isOpen ? /* @__PURE__ */ a3(PaletteDialog, { queue, me, onClose: () => setOpen(false) }) : null;
}
function PaletteDialog({ queue, me, onClose }) {
  const box = T2(null);
  const [text, setText] = d2("");
  const [active, setActive] = d2(0);
  const jobs = useJobNames(text.trim());
  A2(() => box.current?.showModal(), []);
  const targets = [...fixedTargets(queue, me), ...jobs.flatMap((name) => jobTargets(name, me))];
  const shown = targets.filter(({ label }) => isMatch(label, text)).slice(0, MOST_SHOWN);
  const current = Math.min(active, shown.length - 1);
  function go(target) {
    if (!target) return;
    location.hash = target.address;
    box.current?.close();
    onClose();
  }
  function onKeyDown(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setActive((current + step + shown.length) % Math.max(1, shown.length));
    else if (event.key === "Enter") go(shown[current]);
    else return;
    event.preventDefault();
  }
  return /* @__PURE__ */ a3("dialog", { ref: box, class: "palette", "aria-label": "Go to", onClose: () => box.current && onClose(), children: [
    /* @__PURE__ */ a3(
      "input",
      {
        type: "text",
        role: "combobox",
        "aria-label": "View, job or team",
        "aria-expanded": "true",
        "aria-controls": "palette-targets",
        "aria-activedescendant": shown.length ? `target-${current}` : void 0,
        autocomplete: "off",
        placeholder: "View, job or team \u2026",
        value: text,
        onInput: (event) => {
          setText(event.currentTarget.value);
          setActive(0);
        },
        onKeyDown
      }
    ),
    /* @__PURE__ */ a3("div", { id: "palette-targets", role: "listbox", "aria-label": "Targets", children: shown.map((target, index) => (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field above
      // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field above
      /* @__PURE__ */ a3(
        "div",
        {
          id: `target-${index}`,
          role: "option",
          "aria-selected": index === current,
          onClick: () => go(target),
          children: target.label
        },
        target.address
      )
    )) }),
    !shown.length && /* @__PURE__ */ a3("p", { class: "quiet", children: "Nothing has this name." })
  ] });
}
function useJobNames(text) {
  const [found, setFound] = d2({ text: "", names: [] });
  A2(() => {
    if (!text) return;
    let isOver = false;
    const timer = setTimeout(() => {
      read("jobs", { name: text }).then(
        ({ jobs }) => isOver || setFound({ text, names: jobs.slice(0, MOST_JOBS).map((job) => job.name) }),
        () => {
        }
        // the page's other calls show the error
      );
    }, PAUSE4);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [text]);
  return text && found.text && text.startsWith(found.text) ? found.names : [];
}
function fixedTargets(queue, me) {
  const views = Object.entries(VIEWS).filter(([view]) => view !== "submit" || maySubmit(me));
  return [
    ...views.map(([view, label]) => ({ label, address: `#/${view}` })),
    { label: "My jobs", address: "#/now?mine=true" },
    { label: "My waiting jobs", address: "#/now?mine=true&state=pending%2Cpreempted" },
    { label: "Running jobs", address: "#/now?state=launching%2Crunning%2Cstopping" },
    { label: "Waiting jobs", address: "#/now?state=pending%2Cpreempted" },
    { label: "Held or parked jobs", address: "#/now?state=held%2Cparked" },
    ...Object.keys(queue?.teams ?? {}).map((team) => ({
      label: `Jobs of team ${team}`,
      address: `#/now?team=${encodeURIComponent(team)}`
    })),
    ...savedViews().map(({ name, address }) => ({ label: `Saved view ${name}`, address }))
  ];
}
function jobTargets(name, me) {
  const job = { label: name, address: linkTo(name) };
  return maySubmit(me) ? [job, { label: `Submit ${name} again`, address: linkToCopy(name) }] : [job];
}
function isMatch(label, text) {
  const words = text.toLowerCase().split(/\s+/);
  return words.every((word) => label.toLowerCase().includes(word));
}

// src/spending_view.tsx
function SpendingView() {
  const now = useNow(1e4);
  const spending = usePolled(() => read("spending"), "spending");
  const waiting = usePolled(() => read("jobs", { state: "pending,preempted" }), "waiting");
  const errors = [spending.error, waiting.error].filter((error) => error !== null);
  const held3 = waiting.value?.jobs.filter((job) => job.reason.code === "spending_limit") ?? [];
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("h1", { class: "unseen", children: "Spending" }),
    errors[0] && /* @__PURE__ */ a3(Trouble, { error: errors[0] }),
    /* @__PURE__ */ a3("section", { "aria-labelledby": "limits-title", children: [
      /* @__PURE__ */ a3("header", { class: "section-head", children: [
        /* @__PURE__ */ a3("h2", { id: "limits-title", children: "Monthly limits" }),
        spending.value?.month && /* @__PURE__ */ a3(MonthLine, { month: spending.value.month, now })
      ] }),
      spending.value ? /* @__PURE__ */ a3(Limits, { spending: spending.value }) : /* @__PURE__ */ a3("p", { class: "empty", children: "Loading \u2026" })
    ] }),
    /* @__PURE__ */ a3("section", { "aria-labelledby": "held-title", children: [
      /* @__PURE__ */ a3("header", { class: "section-head", children: [
        /* @__PURE__ */ a3("h2", { id: "held-title", children: "Waiting for a limit" }),
        /* @__PURE__ */ a3("span", { class: "quiet", children: waiting.value?.next ? `Among the first ${waiting.value.jobs.length} waiting jobs.` : "Jobs that wait for the next month, or for a higher limit." })
      ] }),
      waiting.value && /* @__PURE__ */ a3(Held, { jobs: held3, now })
    ] })
  ] });
}
function MonthLine({ month, now }) {
  return /* @__PURE__ */ a3("span", { class: "quiet", children: [
    month.name,
    ", until ",
    clock(month.ends, now),
    " (",
    month.time_zone,
    " months)"
  ] });
}
function Limits({ spending }) {
  if (!spending.month) {
    return /* @__PURE__ */ a3("p", { class: "nothing quiet", children: [
      "No spending limits are set. Set them in ",
      /* @__PURE__ */ a3(SectionLink, { kind: "spending" }),
      "."
    ] });
  }
  if (!spending.uses.length) return /* @__PURE__ */ a3("p", { class: "nothing quiet", children: "Nothing spent this month." });
  const uses2 = [...spending.uses].sort((one, other) => share4(other) - share4(one));
  return /* @__PURE__ */ a3("table", { class: "cards wide", children: [
    /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "col", children: "Limit" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Applies to" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Used, and forecast" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Used" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Running" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Limit is" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Forecast" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "State" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Why" })
    ] }) }),
    /* @__PURE__ */ a3("tbody", { children: uses2.map((use) => /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "row", children: use.limit }),
      /* @__PURE__ */ a3("td", { class: "clipped", title: use.scope, children: [
        use.kind,
        " ",
        use.scope
      ] }),
      /* @__PURE__ */ a3("td", { children: /* @__PURE__ */ a3(Meter, { use }) }),
      /* @__PURE__ */ a3("td", { class: "number", "data-label": "used", children: amount(use.used, use) }),
      /* @__PURE__ */ a3("td", { class: "number", "data-label": "running", children: amount(use.running, use) }),
      /* @__PURE__ */ a3("td", { class: "number", "data-label": "limit", children: amount(use.most, use) }),
      /* @__PURE__ */ a3("td", { class: "number", "data-label": "forecast", children: amount(use.forecast, use) }),
      /* @__PURE__ */ a3("td", { children: /* @__PURE__ */ a3("span", { class: `mode limit-${use.state}`, children: use.state.replaceAll("_", " ") }) }),
      /* @__PURE__ */ a3("td", { class: "wraps", children: use.reason })
    ] }, `${use.limit} ${use.kind} ${use.scope}`)) })
  ] });
}
function Meter({ use }) {
  if (use.used === null) return /* @__PURE__ */ a3("span", { class: "quiet", children: "not known" });
  const percent = (value) => use.most ? Math.min(100, value / use.most * 100) : 100;
  const said2 = `${amount(use.used, use)} of ${amount(use.most, use)}, ${amount(use.forecast, use)} forecast for the month`;
  return /* @__PURE__ */ a3("span", { class: "share", children: [
    /* @__PURE__ */ a3("span", { class: "track", role: "img", "aria-label": said2, title: said2, children: [
      /* @__PURE__ */ a3("span", { class: `bar limit-${use.state}`, style: { left: "0", width: `${percent(use.used)}%` } }),
      use.forecast !== null && /* @__PURE__ */ a3("span", { class: "due", style: { left: `max(0px, ${percent(use.forecast)}% - 2px)` } })
    ] }),
    /* @__PURE__ */ a3("span", { class: "quiet", children: [
      use.most ? Math.round(use.used / use.most * 100) : 100,
      " %"
    ] })
  ] });
}
function Held({ jobs, now }) {
  if (!jobs.length) return /* @__PURE__ */ a3("p", { class: "nothing quiet", children: "None." });
  return /* @__PURE__ */ a3("table", { class: "cards", children: [
    /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "col", children: "Job" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Owner" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Age" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Why" })
    ] }) }),
    /* @__PURE__ */ a3("tbody", { children: jobs.map((job) => /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "row", children: /* @__PURE__ */ a3("a", { href: linkTo(job.name), children: job.name }) }),
      /* @__PURE__ */ a3("td", { title: job.owner, children: person(job.owner) }),
      /* @__PURE__ */ a3("td", { class: "number", "data-label": "age", children: since(job.submitted_at, now) }),
      /* @__PURE__ */ a3("td", { class: "wraps", children: why(job, now) })
    ] }, job.name)) })
  ] });
}
function share4(use) {
  if (use.used === null || !use.most) return Number.POSITIVE_INFINITY;
  return use.used / use.most;
}
function amount(value, use) {
  if (value === null) return "not known";
  return use.measure === "dollars" ? dollars(value) : `${value.toFixed(1)} GPU h`;
}

// src/forecast_facts.tsx
function ForecastFacts({ forecast }) {
  const now = useNow();
  const { preempts, behind, reason } = forecast;
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("p", { class: "lead", children: forecast.starts_now ? "It would start now." : reason.message || reason.code }),
    /* @__PURE__ */ a3("dl", { class: "facts", children: [
      /* @__PURE__ */ a3(Fact, { name: "start", children: forecast.starts_now ? "now" : start(forecast.starts, now) }),
      !forecast.starts_now && /* @__PURE__ */ a3(Fact, { name: "behind", children: behind === null ? "more jobs than the queue counts" : plural(behind, "job") }),
      /* @__PURE__ */ a3(Fact, { name: "would stop", children: preempts.length ? /* @__PURE__ */ a3("strong", { class: "caution", children: preempts.map((name) => /* @__PURE__ */ a3("a", { class: "link", href: linkTo(name), children: [
        name,
        " "
      ] }, name)) }) : "no job" }),
      /* @__PURE__ */ a3(Fact, { name: "cost", children: rangeText(forecast.cost_range) }),
      /* @__PURE__ */ a3(Fact, { name: "time limit", children: [
        span(forecast.cost_range.max_runtime * 1e3),
        forecast.cost_range.spot && ", on spot instances"
      ] })
    ] })
  ] });
}
function rangeText({ least_dollars, most_dollars, unknown_types, prices_as_of }) {
  if (least_dollars === null || most_dollars === null) return `no known price of ${unknown_types.join(", ")}`;
  const most = dollars(most_dollars);
  const amount2 = least_dollars === most_dollars ? most : `${dollars(least_dollars)} to ${most}`;
  return `${amount2} per attempt, at prices of ${prices_as_of}`;
}

// src/forecasting.ts
var PAUSE5 = 500;
var NOTHING = { forecast: null, refusal: null };
function useForecast(text, isRequest) {
  const [found, setFound] = d2(null);
  A2(() => {
    if (!isRequest) return;
    let isOver = false;
    const tell = (told2) => isOver || setFound({ text, told: told2 });
    const timer = setTimeout(() => {
      sendText("POST", "what-if", text).then(
        (forecast) => tell({ forecast, refusal: null }),
        (cause) => tell({ forecast: null, refusal: refusalOf(cause) })
      );
    }, PAUSE5);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [text, isRequest]);
  return isRequest && found?.text === text ? found.told : NOTHING;
}

// src/submit_view.tsx
var kept2 = { from: "", text: "" };
function SubmitView({ queue, acting }) {
  const [query2, setQuery] = useQuery();
  const from = query2.get("from") ?? "";
  const { text, setText, error } = useText(from);
  const { submission, problems } = parsed(text);
  const told2 = useForecast(text, submission !== null);
  const [isBusy, setBusy] = d2(false);
  const [refused, setRefused] = d2(null);
  const refusal = refused?.text === text ? refused.refusal : told2.refusal;
  async function submit() {
    const objection = againstSubmit(text, told2, acting.me);
    if (objection) return acting.notes.tell(objection);
    setBusy(true);
    try {
      const job = await sendText("POST", "submit", text);
      acting.notes.tell(`${job.name} ${job.is_new ? "submitted" : "was already submitted; no new job was created."}`);
      kept2 = { from: "", text: "" };
      acting.look();
      location.hash = linkTo(job.name);
    } catch (cause) {
      setRefused({ text, refusal: refusalOf(cause) });
    } finally {
      setBusy(false);
    }
  }
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("h1", { class: "unseen", children: "Submit" }),
    /* @__PURE__ */ a3(
      "form",
      {
        class: "submission",
        onSubmit: (event) => {
          event.preventDefault();
          void submit();
        },
        children: [
          /* @__PURE__ */ a3("section", { "aria-labelledby": "submit-title", children: [
            /* @__PURE__ */ a3("header", { class: "section-head", children: [
              /* @__PURE__ */ a3("h2", { id: "submit-title", children: "New job" }),
              /* @__PURE__ */ a3("span", { class: "quiet", children: "A CreateTrainingJob request in JSON, in SageMaker's format." }),
              /* @__PURE__ */ a3("span", { class: "grow" }),
              /* @__PURE__ */ a3(EarlierJob, { from, onPick: (name) => setQuery({ from: name }) }, from)
            ] }),
            error && /* @__PURE__ */ a3(Trouble, { error }),
            submission && /* @__PURE__ */ a3(
              KnobFields,
              {
                now: knobs(submission.request),
                queue,
                onChange: (one) => setText(withKnobs(submission, one))
              }
            ),
            /* @__PURE__ */ a3(
              TextField,
              {
                label: "Request",
                text,
                problems: text.trim() ? [...problems, ...refusal ? problemsOf(refusal, text) : []] : [],
                onText: setText
              }
            )
          ] }),
          /* @__PURE__ */ a3("section", { "aria-labelledby": "forecast-title", children: [
            /* @__PURE__ */ a3("header", { class: "section-head", children: [
              /* @__PURE__ */ a3("h2", { id: "forecast-title", children: "If it were submitted now" }),
              /* @__PURE__ */ a3("span", { class: "grow" }),
              /* @__PURE__ */ a3(SubmitButton, { objection: againstSubmit(text, told2, acting.me), isBusy })
            ] }),
            /* @__PURE__ */ a3("div", { role: "status", children: /* @__PURE__ */ a3(Told2, { text, isRequest: submission !== null, told: told2 }) }),
            refusal && !problemsOf(refusal, text).length && /* @__PURE__ */ a3(Trouble, { error: refusal })
          ] })
        ]
      }
    )
  ] });
}
function useText(from) {
  const [text, change3] = d2(kept2.text);
  const [error, setError] = d2(null);
  function setText(next) {
    kept2 = { ...kept2, text: next };
    change3(next);
  }
  A2(() => {
    if (!from || from === kept2.from) return;
    let isOver = false;
    setError(null);
    read(ofJob(from)).then(
      (job) => {
        if (isOver) return;
        kept2 = { from, text: copyOf(job) };
        change3(kept2.text);
      },
      (cause) => isOver || setError(refusalOf(cause))
    );
    return () => {
      isOver = true;
    };
  }, [from]);
  return { text, setText, error };
}
function EarlierJob({ from, onPick }) {
  const [name, setName] = d2(from);
  const [names, setNames] = d2([]);
  A2(() => {
    const timer = setTimeout(() => {
      read("jobs", { name: name.trim() }).then(
        ({ jobs }) => setNames(jobs.slice(0, 20).map((job) => job.name)),
        () => {
        }
        // the page's other calls show the error
      );
    }, 300);
    return () => clearTimeout(timer);
  }, [name]);
  return /* @__PURE__ */ a3("span", { class: "field-row", children: [
    /* @__PURE__ */ a3(
      "input",
      {
        type: "search",
        list: "earlier-jobs",
        "aria-label": "Earlier job",
        placeholder: "Earlier job",
        value: name,
        onInput: (event) => setName(event.currentTarget.value),
        onKeyDown: (event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          onPick(name.trim());
        }
      }
    ),
    /* @__PURE__ */ a3("datalist", { id: "earlier-jobs", children: names.map((one) => /* @__PURE__ */ a3("option", { value: one }, one)) }),
    /* @__PURE__ */ a3("button", { type: "button", onClick: () => onPick(name.trim()), children: "Use its request" })
  ] });
}
function KnobFields(props) {
  const { name, priority, type, count } = props.now;
  const known2 = Object.keys(props.queue?.budget ?? {}).filter((kind) => !kind.includes("@"));
  return /* @__PURE__ */ a3("div", { class: "section-head knobs", children: [
    /* @__PURE__ */ a3("label", { children: [
      "Name",
      " ",
      /* @__PURE__ */ a3(
        "input",
        {
          type: "text",
          value: name,
          onChange: (event) => props.onChange({ name: event.currentTarget.value.trim() })
        }
      )
    ] }),
    /* @__PURE__ */ a3(NumberField, { label: "Priority", value: priority, onChange: (next) => props.onChange({ priority: next }) }),
    type !== null && /* @__PURE__ */ a3("label", { children: [
      "Type",
      " ",
      /* @__PURE__ */ a3("select", { value: type, onChange: (event) => props.onChange({ type: event.currentTarget.value }), children: [.../* @__PURE__ */ new Set([type, ...known2])].map((kind) => /* @__PURE__ */ a3("option", { children: kind }, kind)) })
    ] }),
    count !== null && /* @__PURE__ */ a3(NumberField, { label: "Instances", value: count, onChange: (next) => props.onChange({ count: next }) })
  ] });
}
function NumberField(props) {
  return /* @__PURE__ */ a3("label", { children: [
    props.label,
    " ",
    /* @__PURE__ */ a3(
      "input",
      {
        type: "number",
        step: 1,
        value: props.value,
        onInput: (event) => {
          const { valueAsNumber } = event.currentTarget;
          if (Number.isInteger(valueAsNumber)) props.onChange(valueAsNumber);
        }
      }
    )
  ] });
}
function SubmitButton({ objection, isBusy }) {
  return /* @__PURE__ */ a3("button", { type: "submit", class: objection ? "" : "main", "aria-disabled": Boolean(objection), "aria-busy": isBusy, children: [
    "Submit",
    objection && /* @__PURE__ */ a3("span", { class: "unseen", children: [
      " ",
      objection
    ] })
  ] });
}
function Told2({ text, isRequest, told: told2 }) {
  if (told2.forecast) return /* @__PURE__ */ a3(ForecastFacts, { forecast: told2.forecast });
  if (told2.refusal) return /* @__PURE__ */ a3("p", { class: "nothing caution", children: "The queue would refuse it." });
  const hint = text.trim() ? "Correct the text." : "Paste a request, or pick an earlier job.";
  return /* @__PURE__ */ a3("p", { class: "nothing quiet", children: isRequest ? "Asking the queue \u2026" : hint });
}
function againstSubmit(text, told2, me) {
  if (!maySubmit(me)) return "You may not submit jobs; an operator can grant you more.";
  if (!text.trim()) return "Paste a request first.";
  if (told2.forecast) return null;
  return told2.refusal ? "Correct the request first." : "Wait for the forecast.";
}

// src/teams_view.tsx
function TeamsView({ queue }) {
  const teams = Object.entries(queue?.teams ?? {}).sort(([, one], [, other]) => other.weight - one.weight);
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("h1", { class: "unseen", children: "Teams" }),
    /* @__PURE__ */ a3("section", { "aria-labelledby": "teams-title", children: [
      /* @__PURE__ */ a3("header", { class: "section-head", children: [
        /* @__PURE__ */ a3("h2", { id: "teams-title", children: "Teams" }),
        /* @__PURE__ */ a3("span", { class: "quiet", children: "Within one priority, the team with the least recent use by weight starts next; recent use counts more. An idle quota is lent to other teams." })
      ] }),
      queue && !teams.length && /* @__PURE__ */ a3("p", { class: "empty", children: [
        "The queue has no teams: priority and age decide. Set teams in ",
        /* @__PURE__ */ a3(SectionLink, { kind: "shares" }),
        "."
      ] }),
      queue && teams.length > 0 && /* @__PURE__ */ a3(Teams, { teams, budget: queue.budget })
    ] })
  ] });
}
function Teams({ teams, budget }) {
  const weights = teams.reduce((sum2, [, team]) => sum2 + team.weight, 0);
  const held3 = teams.reduce((sum2, [, team]) => sum2 + total(team.running), 0);
  const limit = Object.values(budget).reduce((sum2, line) => sum2 + line.limit, 0);
  return /* @__PURE__ */ a3("table", { class: "cards wide", children: [
    /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "col", children: "Team" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Weight" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Running, and share by weight" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Running on" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Quota" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Borrowed" }),
      /* @__PURE__ */ a3(
        "th",
        {
          scope: "col",
          class: "number",
          title: "Recent use counts more; running attempts count with their expected run time",
          children: "Recent use"
        }
      ),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "By weight" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Waiting" })
    ] }) }),
    /* @__PURE__ */ a3("tbody", { children: teams.map(([name, team]) => /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "row", children: name }),
      /* @__PURE__ */ a3("td", { class: "number", "data-label": "weight", children: team.weight }),
      /* @__PURE__ */ a3("td", { children: /* @__PURE__ */ a3(Share, { held: total(team.running), all: held3, limit, due: team.weight / weights }) }),
      /* @__PURE__ */ a3("td", { class: "wraps", "data-label": "running on", children: told(team.running) || /* @__PURE__ */ a3(Nothing, {}) }),
      /* @__PURE__ */ a3("td", { class: "wraps", "data-label": "quota", children: [
        told(team.quota) || /* @__PURE__ */ a3(Nothing, {}),
        /* @__PURE__ */ a3("span", { class: "quiet", children: [
          " ",
          limits(team).join(", ")
        ] })
      ] }),
      /* @__PURE__ */ a3("td", { class: "wraps", "data-label": "borrowed", children: Object.keys(team.quota).length ? told(borrowed(team)) || /* @__PURE__ */ a3(Nothing, {}) : /* @__PURE__ */ a3(Nothing, {}) }),
      /* @__PURE__ */ a3("td", { class: "number", "data-label": "recent use", children: usage(team, 1) }),
      /* @__PURE__ */ a3("td", { class: "number", "data-label": "by weight", children: usage(team, team.weight) }),
      /* @__PURE__ */ a3("td", { class: "number", "data-label": "waiting", children: team.queued })
    ] }, name)) })
  ] });
}
function Share({ held: held3, all, limit, due }) {
  const percent = (part) => `${Math.round(part * 100)} %`;
  const said2 = `${plural(held3, "instance")} of ${all} that teams run; ${percent(due)} by weight`;
  return /* @__PURE__ */ a3("span", { class: "share", children: [
    /* @__PURE__ */ a3("span", { class: "track", role: "img", "aria-label": said2, title: said2, children: [
      /* @__PURE__ */ a3("span", { class: "bar running", style: { left: "0", width: limit ? `${Math.min(1, held3 / limit) * 100}%` : "0" } }),
      all > 0 && /* @__PURE__ */ a3("span", { class: "due", style: { left: `${Math.min(1, due * all / limit) * 100}%` } })
    ] }),
    /* @__PURE__ */ a3("span", { class: "quiet", children: [
      all > 0 && `${percent(held3 / all)}, `,
      "due ",
      percent(due)
    ] })
  ] });
}
function usage(team, weight) {
  const seconds = team.used_weighted_seconds;
  return seconds === void 0 ? "" : `${(seconds / 3600 / weight).toFixed(1)} h`;
}
function Nothing() {
  return /* @__PURE__ */ a3("span", { class: "quiet", children: "none" });
}
function limits(team) {
  const each = (counts, said2) => Object.entries(counts).map(([kind, count]) => said2(`${count} \xD7 ${kind}`));
  return [
    ...each(team.lend, (instances2) => `lends ${instances2}`),
    ...each(team.borrow_at_most, (instances2) => `borrows up to ${instances2}`),
    ...each(team.ceiling, (instances2) => `up to ${instances2} in all`),
    ...Object.entries(team.settings).map(([name, value]) => `${name.replaceAll("_", " ")} ${value}`)
  ];
}
function borrowed(team) {
  const beyond = Object.entries(team.running).map(([kind, count]) => [kind, count - (team.quota[kind] ?? 0)]);
  return Object.fromEntries(beyond.filter(([, count]) => count > 0));
}

// src/page.tsx
var SELDOM = 6e4;
function Page({ signedIn }) {
  const route = useRoute();
  const notes = useNotes();
  const queue = usePolled(() => read("queue"), "queue");
  const me = usePolled(() => read("whoami"), "me", SELDOM);
  const names = usePolled(() => read("people"), "names", SELDOM);
  keepNames(names.value?.people ?? {});
  const batches = useBatches(notes, queue.look);
  const notifier = useNotifier(notes);
  const acting = { me: me.value, notes, batches, notifier, look: queue.look };
  useTitle(titleOf(route, queue.value));
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("a", { class: "skip", href: location.hash, onClick: skip, children: route.view === "now" ? "To the jobs" : "To the content" }),
    /* @__PURE__ */ a3(Head2, { route, queue: queue.value, me: me.value, signedIn }),
    /* @__PURE__ */ a3("main", { id: "main", tabIndex: -1, children: [
      signedIn && /* @__PURE__ */ a3(Ended, { person: signedIn.person }),
      queue.error && queue.error.code !== "signed_out" && /* @__PURE__ */ a3(Trouble, { error: queue.error }),
      /* @__PURE__ */ a3(Hung, {}),
      /* @__PURE__ */ a3(BatchProgress, { batches, isHosted: signedIn !== null }),
      queue.error?.code !== "no_access" && /* @__PURE__ */ a3(Shown, { route, queue: queue.value, acting })
    ] }),
    /* @__PURE__ */ a3(NoteList, { notes }),
    /* @__PURE__ */ a3(Palette, { queue: queue.value, me: me.value })
  ] });
}
function skip(event) {
  event.preventDefault();
  if (!focusList()) document.getElementById("main")?.focus();
}
function Shown({ route, queue, acting }) {
  switch (route.view) {
    case "job":
      return /* @__PURE__ */ a3(JobView, { name: route.job, acting }, route.job);
    case "submit":
      return /* @__PURE__ */ a3(SubmitView, { queue, acting });
    case "capacity":
      return /* @__PURE__ */ a3(CapacityView, { queue });
    case "teams":
      return /* @__PURE__ */ a3(TeamsView, { queue });
    case "spending":
      return /* @__PURE__ */ a3(SpendingView, {});
    case "history":
      return /* @__PURE__ */ a3(HistoryView, {});
    case "guardrails":
      return /* @__PURE__ */ a3(GuardrailsView, {});
    case "configuration":
      return /* @__PURE__ */ a3(ConfigView, { kind: route.kind, acting });
    default:
      return /* @__PURE__ */ a3(NowView, { queue, acting });
  }
}
function Head2({ route, queue, me, signedIn }) {
  return /* @__PURE__ */ a3("header", { class: "head", children: [
    /* @__PURE__ */ a3("a", { class: "brand", href: "#/now", children: [
      /* @__PURE__ */ a3("img", { src: "/icon.svg", alt: "", width: "18", height: "18" }),
      " SageQueue"
    ] }),
    /* @__PURE__ */ a3("nav", { "aria-label": "Views", ref: showCurrent, children: viewsOf(me).map(([view, label]) => /* @__PURE__ */ a3("a", { href: `#/${view}`, "aria-current": route.view === view ? "page" : void 0, children: label }, view)) }),
    /* @__PURE__ */ a3("span", { class: "grow" }),
    /* @__PURE__ */ a3(Updated, {}),
    queue && !queue.intake_open && /* @__PURE__ */ a3("strong", { class: "drained", children: "drained: new jobs are refused" }),
    queue && /* @__PURE__ */ a3(Counts, { queue }),
    signedIn && /* @__PURE__ */ a3(Account, { ...signedIn }),
    me && !signedIn && /* @__PURE__ */ a3("span", { class: "quiet me", title: `${me.arn}, may ${me.verbs.join(", ") || "read only"}`, children: person(me.arn) })
  ] });
}
function viewsOf(me) {
  return Object.entries(VIEWS).filter(([view]) => view !== "submit" || maySubmit(me));
}
function showCurrent(nav2) {
  const current = nav2?.querySelector("[aria-current]");
  if (nav2 && current && nav2.scrollWidth > nav2.clientWidth)
    nav2.scrollLeft = current.offsetLeft - (nav2.clientWidth - current.offsetWidth) / 2;
}
function Counts({ queue }) {
  const others = (queue.by_state.held ?? 0) + (queue.by_state.parked ?? 0);
  return /* @__PURE__ */ a3("dl", { class: "counts", "aria-label": "The queue at a glance", children: [
    /* @__PURE__ */ a3("div", { children: [
      /* @__PURE__ */ a3("dt", { children: "running" }),
      /* @__PURE__ */ a3("dd", { children: queue.live })
    ] }),
    /* @__PURE__ */ a3("div", { children: [
      /* @__PURE__ */ a3("dt", { children: "waiting" }),
      /* @__PURE__ */ a3("dd", { children: queue.queued })
    ] }),
    others > 0 && /* @__PURE__ */ a3("div", { children: [
      /* @__PURE__ */ a3("dt", { children: "held or parked" }),
      /* @__PURE__ */ a3("dd", { children: others })
    ] })
  ] });
}
var hosted = await hostedSettings();
if (hosted) {
  const beginning = await beginHosted(hosted);
  if (beginning.shows === "page") Q(/* @__PURE__ */ a3(Page, { signedIn: beginning.signedIn }), document.body);
  if (beginning.shows === "signed-out")
    Q(/* @__PURE__ */ a3(SignedOut, { hosted, problem: beginning.problem }), document.body);
} else {
  await enter();
  Q(/* @__PURE__ */ a3(Page, { signedIn: null }), document.body);
}
/*! Bundled license information:

aws4fetch/dist/aws4fetch.esm.mjs:
  (**
   * @license MIT <https://opensource.org/licenses/MIT>
   * @copyright Michael Hart 2024
   *)
*/
