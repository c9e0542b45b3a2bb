import json, os, runpy
from random import Random
import tests.clients.writingsessions as ws
if os.environ.get("MATERIAL"):
    from pathlib import Path; new = json.loads(Path(os.environ["MATERIAL"]).read_text())
    ws.MATERIAL.clear(); ws.MATERIAL.update(new)
from tests.clients.test_mediawiki_writing import *
LEN=int(os.environ.get("LEN","28"))
A,B=map(int,os.environ.get("RANGE","0-0").split("-"))
MAX=int(os.environ.get("MAXD","3"))
SHOW=os.environ.get("SHOW")
def cut(x,n): 
    x=json.dumps(x,ensure_ascii=False); return x if len(x)<=n else x[:n]+"…"
def run(wikis,name,steps,show):
    n_d=0
    log=[]
    try:
        for n,(s,t,o) in enumerate(zip(steps,play(wikis.theirs,steps),play(wikis.ours,steps))):
            p={k:v for k,v in s.params.items() if k!="token"}
            d=[] if is_failure(t) else [x for x in differences(t,o) if not is_known(s.params,x)]
            if show and (n_d==0 or show=="all"):
                print(n,s.by,cut(p,1200),(s.file or {}).get("content","")[:1500] if s.file and s.file["field"]=="xml" else s.file and s.file["content"][10:24] or "","\n      T",cut(t,int(os.environ.get("CUT","700"))), *(["\n      O",cut(o,int(os.environ.get("CUT","700")))] if d else []))
            if d:
                n_d+=1
                if n_d<=MAX:
                    print("\n##",name,n,s.by,cut(p,900))
                    for x in d[:6]: print("   ",x[:400])
                    for x in unequal(t,o): print("    =",x[:1500])
                    if not show:
                        print("    T",cut(t,1500)); print("    O",cut(o,1500))
    except Exception as e:
        print("EXC",name,repr(e)[:500])
    print(f"\nseed {name} differing {n_d}")
@pytest.mark.parametrize("seed",range(A,B))
def test_z(wikis,seed):
    run(wikis,seed,session(seed,LEN),SHOW)
if os.environ.get("STEPS"):
    S=runpy.run_path(os.environ["STEPS"])["sessions"]
    @pytest.mark.parametrize("name",list(S))
    def test_z_steps(wikis,name):
        run(wikis,name,S[name],SHOW or "all")
def unequal(t,o,place=""):
    if isinstance(t,dict) and isinstance(o,dict):
        for k in t.keys()&o.keys(): yield from unequal(t[k],o[k],f"{place}.{k}")
    elif isinstance(t,list) and isinstance(o,list):
        if len(t)!=len(o):
            def key(x): return json.dumps({k:v for k,v in x.items() if k not in("rcid","logid","tags","timestamp","parsedcomment","logparams","slotsha1")} if isinstance(x,dict) else x,sort_keys=True)
            a={key(x) for x in t}; b={key(x) for x in o}
            yield f"{place} only theirs: {sorted(a-b)} only ours: {sorted(b-a)}"
        else:
            for i,(x,y) in enumerate(zip(t,o)): yield from unequal(x,y,f"{place}[{i}]")
